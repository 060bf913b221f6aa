// Small pictures of all recordings, on one scale, to compare and to choose from.

class Thumbs {
  constructor(app) {
    this.app = app;
    this.top = Math.max(...app.recordings.map((r) => r.top));
    this.buttons = app.recordings.map((r, i) => this.button(r, i));
    byId('choice').hidden = app.recordings.length < 2;
    byId('thumbs').append(...this.buttons);
  }

  button(r, i) {
    const b = element('button');
    b.type = 'button';
    b.className = 'thumb';
    b.title = r.title;
    b.setAttribute('role', 'radio');
    const canvas = element('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    b.append(element('b', r.title), element('span', 'peak ' + short(r.peak[r.last])), element('span', 'reserved ' + short(r.mostReserved)), canvas);
    b.addEventListener('click', () => this.app.select(i));
    b.addEventListener('keydown', (event) => this.walk(event, i));
    return b;
  }

  // walk moves the choice as radio buttons do.
  walk(event, i) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const n = this.buttons.length, to = (i + by + n) % n;
    this.app.select(to);
    this.buttons[to].focus();
  }

  // reveal scrolls the row of thumbs, on a narrow screen, and never the page.
  reveal(button) {
    const row = byId('thumbs'), from = button.offsetLeft - row.offsetLeft;
    if (from < row.scrollLeft || from + button.offsetWidth > row.scrollLeft + row.clientWidth) row.scrollLeft = from - 20;
  }

  draw() {
    if (byId('choice').hidden) return;
    this.app.recordings.forEach((r, i) => {
      const chosen = r === this.app.recording;
      this.buttons[i].setAttribute('aria-checked', chosen);
      this.buttons[i].tabIndex = chosen ? 0 : -1;
      if (chosen) this.reveal(this.buttons[i]);
      const canvas = new Canvas(this.buttons[i].querySelector('canvas'));
      drawSmall(canvas.begin(), r, { x: 0, y: 2, width: canvas.width, height: canvas.height - 3 }, this.top);
    });
  }
}

// sameWork tells whether two recordings run the same statements but for a few:
// one of four at most. Of others nobody knows whether they can be compared.
function sameWork(r, other) {
  const n = r.statements.length;
  return n > 0 && n === other.statements.length && differences(r, other).length * 4 <= n;
}

// differences lists the statements that two recordings do not share.
function differences(r, other) {
  return r.statements.flatMap((s, i) => s.text === other.statements[i].text ? [] : [[s.text, other.statements[i].text]]);
}

// comparison says in a sentence which recording of the same work has the lowest
// peak, and what it does instead. Nothing is said where there is none, or where
// all peaks are equal.
function comparison(recordings, r) {
  const same = recordings.filter((other) => sameWork(r, other));
  const peak = (one) => one.peak[one.last];
  const by = (better) => same.reduce((best, one) => better(peak(one), peak(best)) ? one : best, r);
  const low = by((x, best) => x < best), high = by((x, best) => x > best);
  if (low === high) return [];
  const other = r === low ? high : low;
  const begin = ' Of ' + same.length + ' recordings with almost the same statements, ';
  const title = element('b', other.title);
  const parts = r === low
    ? [begin + 'this has the lowest peak; the highest, ' + short(peak(high)) + ', has ', title]
    : [begin + 'the lowest peak has ', title, ': ' + short(peak(low)) + ', ' + short(peak(r) - peak(low)) + ' less'];
  const [only, ...more] = differences(r, other);
  if (only && more.length === 0) parts.push(', with ', element('code', only[1]), ' instead of ', element('code', only[0]));
  return [...parts, '.'];
}

// drawSmall draws who holds how much: what is held at the end below, piles above
// it, what is freed before the end on top, and the line of what is reserved.
function drawSmall(c, r, box, top) {
  r.layers = r.layers || layersOf(r);
  const columns = Math.max(1, Math.round(box.width));
  const moments = columnMoments(r, { from: 0, span: r.count }, columns);
  const height = (bytes) => bytes / top * box.height;
  for (let x = 0; x < columns; x++) {
    let y = box.y + box.height;
    for (const [layer, colour] of r.layers) {
      const h = height(layer[moments[x]]);
      c.fillStyle = colours[colour];
      c.fillRect(box.x + x, y - h, 1, h);
      y -= h;
    }
  }
  c.strokeStyle = colours.reserved;
  c.lineWidth = 1.25;
  c.setLineDash([4, 3]);
  c.beginPath();
  for (let x = 0; x < columns; x++) c.lineTo(box.x + x, box.y + box.height - height(r.reserved[moments[x]]));
  c.stroke();
  c.setLineDash([]);
  c.fillStyle = colours.line;
  c.fillRect(box.x, box.y + box.height, box.width, 1);
}

// layersOf adds up the bands of each kind at each moment.
function layersOf(r) {
  const sums = [0, 1, 2].map(() => new Float64Array(r.count + 1));
  for (let b = 0; b < r.bands; b++) {
    sums[r.kind[b]][r.from[b]] += r.block[b];
    sums[r.kind[b]][Math.min(r.to[b], r.count)] -= r.block[b];
  }
  for (const sum of sums) for (let m = 1; m < sum.length; m++) sum[m] += sum[m - 1];
  const layers = [[sums[HELD], 'held-1'], [sums[PILE], 'pile-1'], [sums[FREED], 'freed-1']];
  if (r.others) layers.unshift([r.others, 'others']);
  return layers;
}

// wholeHistory keeps the small picture of the recording for as long as it would
// be the same.
function wholeHistory(app, canvas, box) {
  const { width, height, dpr } = canvas;
  const key = [app.recordings.indexOf(app.recording), width, height, dpr, document.documentElement.dataset.theme].join();
  if (canvas.key === key) return canvas.kept;
  const kept = document.createElement('canvas');
  kept.width = Math.max(1, Math.round(width * dpr));
  kept.height = Math.max(1, Math.round(height * dpr));
  const c = kept.getContext('2d');
  c.scale(dpr, dpr);
  drawSmall(c, app.recording, { x: box.x, y: 3, width: box.width, height: height - 5 }, app.recording.top);
  Object.assign(canvas, { key, kept });
  return kept;
}

// drawOverview draws the whole history and where the view is in it.
function drawOverview(app, canvas, box) {
  const c = canvas.begin(), r = app.recording;
  c.drawImage(wholeHistory(app, canvas, box), 0, 0, canvas.width, canvas.height);
  const x = (moment) => box.x + moment / r.count * box.width;
  const from = x(app.view.from), to = x(app.view.from + app.view.span);
  c.globalAlpha = .6;
  c.fillStyle = colours.page;
  c.fillRect(box.x, 0, from - box.x, canvas.height);
  c.fillRect(to, 0, box.x + box.width - to, canvas.height);
  c.globalAlpha = 1;
  c.strokeStyle = colours.accent;
  c.lineWidth = 1.5;
  c.strokeRect(from + 1, 1, Math.max(3, to - from - 2), canvas.height - 2);
  c.fillStyle = colours.accent;
  c.fillRect(x(app.moment + .5) - 1, 0, 2, canvas.height);
}
