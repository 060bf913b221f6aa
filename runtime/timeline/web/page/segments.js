// The segment map: each segment a bar, as long as its bytes, its blocks where
// they lie.

const ROW = 24, MAP_GUTTER = 66, MOST_ROWS = 300;

class SegmentMap {
  constructor(app) {
    this.app = app;
    this.canvas = new Canvas(byId('segments'));
    const e = this.canvas.element;
    e.addEventListener('pointermove', (event) => this.point(event));
    e.addEventListener('pointerleave', () => app.setHover(-1, -1));
    e.addEventListener('click', (event) => app.choose(this.bandUnder(event)));
  }

  draw() {
    const { recording: r, moment } = this.app;
    this.segments = shownSegments(r.segmentsAt(moment));
    const rows = Math.max(1, this.segments.length);
    this.row = rows > 60 ? 14 : ROW;
    this.canvas.element.style.height = rows * this.row + 'px';
    const c = this.canvas.begin();
    this.largest = this.segments.reduce((max, s) => Math.max(max, s.size), 1);
    this.segments.forEach((s, i) => this.drawSegment(c, s, i * this.row));
    this.describe();
  }

  // scale is pixels for each byte. A segment has some pixels at least.
  lengthOf(s) { return Math.max(5, s.size / this.largest * (this.canvas.width - MAP_GUTTER - 2)); }

  drawSegment(c, s, y) {
    const r = this.app.recording, height = this.row - 5, length = this.lengthOf(s);
    c.font = '12px system-ui, sans-serif';
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    c.fillStyle = colours.quiet;
    c.fillText(short(s.size), MAP_GUTTER - 8, y + height / 2 + 1);
    c.fillStyle = colours.cached;
    c.fillRect(MAP_GUTTER, y, length, height);
    for (const b of s.blocks) this.drawBlock(c, s, b, y, height, length);
    c.strokeStyle = colours.quiet;
    c.lineWidth = 1;
    c.strokeRect(MAP_GUTTER + .5, y + .5, length - 1, height - 1);
  }

  drawBlock(c, s, b, y, height, length) {
    const r = this.app.recording;
    const x = MAP_GUTTER + (r.offset[b] - s.offset) / s.size * length;
    const width = Math.max(1, r.block[b] / s.size * length);
    const waits = r.isWaiting(b, this.app.moment);
    c.fillStyle = waits ? colours.waits : tint(r.kind[b], b);
    c.fillRect(x, y, width, height);
    if (r.kind[b] === PILE || waits) hatchOver(c, x, y, width, height, waits ? colours.card : colours.hatch);
    c.fillStyle = colours.card;
    if (width > 4) c.fillRect(x + width - 1, y, 1, height);
    if (width > 46 && height > 14) {
      c.font = '11px system-ui, sans-serif';
      c.textAlign = 'left';
      const text = fitted(c, r.heldBy(b, this.app.moment), width - 8);
      if (text && r.kind[b] === PILE) {
        c.fillStyle = colours['pile-2'];
        c.fillRect(x + 2, y + 2, c.measureText(text).width + 5, height - 4);
      }
      c.fillStyle = colours['on-' + kinds[r.kind[b]]];
      c.fillText(text, x + 4, y + height / 2 + 1);
    }
    if (b === this.app.chosen || b === this.app.hover.band) {
      c.strokeStyle = colours.ink;
      c.lineWidth = 2;
      c.strokeRect(x + 1, y + 1, Math.max(1, width - 2), height - 2);
    }
  }

  // describe says in words what the map shows.
  describe() {
    const { recording: r, moment } = this.app;
    const all = this.segments.length + this.segments.left;
    let text = plural(all, 'segment') + ', ' + short(r.reserved[moment]) + ' reserved, ' + short(r.allocated[moment]) + ' allocated';
    const waiting = r.active[moment] - r.allocated[moment];
    if (waiting > 0) text += ', ' + short(waiting) + ' waiting for an event';
    text += ', ' + short(r.reserved[moment] - r.active[moment]) + ' cached';
    if (this.segments.left > 0) text += '. The ' + MOST_ROWS + ' largest are drawn';
    setText(byId('segments-about'), all === 0 ? 'Nothing is reserved.' : text + '.');
    this.canvas.element.setAttribute('aria-label', 'Segment map: ' + text);
  }

  bandUnder(event) {
    const s = this.segments[Math.floor(event.offsetY / this.row)];
    if (!s) return -1;
    const r = this.app.recording;
    const at = s.offset + (event.offsetX - MAP_GUTTER) / this.lengthOf(s) * s.size;
    const found = s.blocks.find((b) => r.offset[b] <= at && at < r.offset[b] + r.block[b]);
    return found === undefined ? -1 : found;
  }

  point(event) {
    const band = this.bandUnder(event), r = this.app.recording;
    const s = this.segments[Math.floor(event.offsetY / this.row)];
    let text = '';
    if (band >= 0) text = r.heldBy(band, this.app.moment) + ', ' + exact(r.block[band]) + ' bytes at ' + r.address(r.space[band], r.offset[band]);
    else if (s) text = 'segment of ' + exact(s.size) + ' bytes at ' + r.address(s.space, s.offset) + (s.stream ? ', stream ' + s.stream : '');
    setText(byId('segments-tip'), text);
    if (band !== this.app.hover.band) this.app.setHover(-1, band);
  }
}

// shownSegments keeps the largest, by address.
function shownSegments(all) {
  const largest = all.map((_, i) => i).sort((x, y) => all[y].size - all[x].size || x - y).slice(0, MOST_ROWS);
  const some = largest.sort((x, y) => x - y).map((i) => all[i]);
  some.left = all.length - some.length;
  return some;
}

function hatchOver(c, x, y, width, height, colour) {
  c.save();
  c.beginPath();
  c.rect(x, y, width, height);
  c.clip();
  c.strokeStyle = colour;
  c.lineWidth = 1.2;
  c.beginPath();
  for (let i = x - height; i < x + width; i += 7) {
    c.moveTo(i, y + height);
    c.lineTo(i + height, y);
  }
  c.stroke();
  c.restore();
}
