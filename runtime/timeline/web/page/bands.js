// The bands as pixels.
//
// The picture is made column by column. A column shows one moment; where it
// covers several, the one at which most is active, so that no peak is missed. The
// list of active bands goes along from left to right: new ones are put on top,
// and ended ones are dropped while the column is filled from below.

const LABEL_HEIGHT = 11;

class Raster {
  constructor() { this.canvas = document.createElement('canvas'); }

  // resize makes room for so many device pixels.
  resize(width, height) {
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = this.width = Math.max(1, width);
    this.canvas.height = this.height = Math.max(1, height);
    this.context = this.canvas.getContext('2d');
    this.image = this.context.createImageData(this.width, this.height);
    this.rows = new Uint32Array(this.image.data.buffer);
    // The columns lie one behind the other while they are filled: that is
    // several times as fast as to write down the rows of an image.
    this.columns = new Uint32Array(this.width * this.height);
  }

  // draw fills the picture with what a view shows. Where that is more work than
  // the budget, some columns repeat the one before, and it returns false.
  draw(r, view, top, dpr, budget) {
    this.prepare(r, view, top, dpr);
    const moments = columnMoments(r, view, this.width);
    const alive = r.activeAt(moments[0]);
    const work = this.width * (alive.length + this.height / 4);
    const step = Math.max(1, Math.ceil(work / budget));
    let next = upperBound(r.from, moments[0]);
    let count = alive.length;
    let wasEdge = true;
    for (let x = 0; x < this.width; x++) {
      const moment = moments[x];
      const edge = this.perMoment >= 6 && x > 0 && moments[x - 1] !== moment;
      const same = moment === moments[x - 1] || x % step !== 0;
      if (same && !edge && !wasEdge) {
        this.repeat(x);
        continue;
      }
      for (; next < r.bands && r.from[next] <= moment; next++) {
        if (r.to[next] > moment) alive[count++] = next;
      }
      count = this.column(r, x, moment, alive, count, edge);
      wasEdge = edge || x === 0;
    }
    this.turn();
    this.context.putImageData(this.image, 0, 0);
    return step === 1;
  }

  // turn copies the columns to the rows of the image, a square at a time.
  turn() {
    const { width, height, columns, rows } = this, side = 32;
    for (let top = 0; top < height; top += side) {
      const bottom = Math.min(top + side, height);
      for (let left = 0; left < width; left += side) {
        const right = Math.min(left + side, width);
        for (let x = left; x < right; x++) {
          for (let y = top; y < bottom; y++) rows[y * width + x] = columns[x * height + y];
        }
      }
    }
  }

  prepare(r, view, top, dpr) {
    this.dpr = dpr;
    this.gapped = 3 * dpr; // from there on a band has a gap
    this.labelled = LABEL_HEIGHT * dpr;
    this.line = Math.max(1, Math.floor(dpr));
    this.hatchStep = Math.round(7 * dpr);
    this.hatchWidth = Math.round(1.6 * dpr);
    this.perMoment = this.width / view.span;
    this.scaleY = this.height / top;
    this.labels = new Map();
    this.gap = pixel(colours.plain);
    this.othersPixel = pixel(colours.others);
    this.hatch = pixel(colours.hatch);
    this.waits = pixel(colours.waits);
    this.tints = new Uint32Array(9);
    for (let kind = 0; kind < 3; kind++) for (let i = 0; i < 3; i++) this.tints[kind * 3 + i] = pixel(tint(kind, i));
  }

  // repeat copies the column before. The hatch of a pile runs on.
  repeat(x) {
    const { columns, height } = this;
    columns.copyWithin(x * height, (x - 1) * height, x * height);
    for (const h of this.hatched) this.drawHatch(x, h);
    for (const label of this.open) label.end = x;
  }

  drawHatch(x, { high, low, tint }) {
    const base = x * this.height;
    for (let y = high; y < low; y++) {
      this.columns[base + y] = (x + y) % this.hatchStep < this.hatchWidth ? this.hatch : tint;
    }
  }

  // column fills one column and returns how many of the bands are left.
  column(r, x, moment, alive, count, edge) {
    const { height, columns, scaleY } = this, { to, block } = r, base = x * height;
    this.hatched = [];
    this.open = [];
    let sum = r.others ? r.others[moment] : 0;
    let low = Math.max(0, Math.round(height - sum * scaleY));
    columns.fill(this.othersPixel, base + low, base + height);
    let left = 0;
    for (let i = 0; i < count; i++) {
      const b = alive[i];
      if (to[b] <= moment) continue;
      alive[left++] = b;
      sum += block[b];
      const high = (height - sum * scaleY + .5) | 0;
      if (high >= low || low <= 0) continue;
      this.fill(r, x, moment, b, low, Math.max(0, high), edge);
      low = Math.max(0, high);
    }
    columns.fill(0, base, base + low);
    return left;
  }

  // fill draws one band in one column, with a gap to the one above and to what
  // was there before.
  fill(r, x, moment, b, low, high, edge) {
    const base = x * this.height, kind = r.kind[b];
    const tint = moment >= r.asked[b] && r.isWaiting(b, moment) ? this.waits : this.tints[kind * 3 + b % 3];
    const tall = low - high >= this.gapped;
    let from = high;
    if (tall) {
      from += this.line;
      paint(this.columns, this.gap, base + high, base + from);
    }
    const begins = edge && tall && r.from[b] === moment;
    if (kind === PILE && !begins) {
      const h = { high: from, low, tint };
      this.hatched.push(h);
      this.drawHatch(x, h);
    } else {
      paint(this.columns, begins ? this.gap : tint, base + from, base + low);
    }
    if (low - high >= this.labelled) this.note(b, x, low, high);
  }

  // note remembers the longest stretch in which a band does not move, for its
  // label.
  note(b, x, low, high) {
    let label = this.labels.get(b);
    if (!label) this.labels.set(b, label = { b, start: x, end: x, low, high, best: null });
    else if (label.low !== low || label.high !== high || label.end < x - 1) {
      keepBest(label);
      Object.assign(label, { start: x, low, high });
    }
    label.end = x;
    this.open.push(label);
  }

  // stretches lists the place of each label, the largest first.
  stretches() {
    const all = [];
    for (const label of this.labels.values()) {
      keepBest(label);
      all.push({ b: label.b, ...label.best });
    }
    return all.sort((x, y) => (y.end - y.start) * (y.low - y.high) - (x.end - x.start) * (x.low - x.high));
  }
}

// paint is what fill does, but faster where there is little to fill.
function paint(pixels, colour, from, to) {
  if (to - from > 32) pixels.fill(colour, from, to);
  else for (let i = from; i < to; i++) pixels[i] = colour;
}

function keepBest(label) {
  if (!label.best || label.end - label.start > label.best.end - label.best.start) {
    label.best = { start: label.start, end: label.end, low: label.low, high: label.high };
  }
}

// columnMoments picks the moment that each column shows.
function columnMoments(r, view, width) {
  const moments = new Int32Array(width);
  for (let x = 0; x < width; x++) {
    const from = clamp(Math.floor(view.from + x / width * view.span), 0, r.last);
    const to = clamp(Math.ceil(view.from + (x + 1) / width * view.span), from + 1, r.last + 1);
    const middle = clamp(Math.floor(view.from + (x + .5) / width * view.span), 0, r.last);
    moments[x] = to - from <= 2 ? middle : fullest(r, from, to);
  }
  return moments;
}

function fullest(r, from, to) {
  let best = from;
  for (let m = from + 1; m < to; m++) if (r.active[m] > r.active[best]) best = m;
  return best;
}

// below adds up what lies under a band at each moment of its life.
function below(r, b) {
  const from = r.from[b], to = Math.min(r.to[b], r.count);
  const sum = new Float64Array(to - from + 1);
  for (let i = 0; i < b; i++) {
    if (r.to[i] <= from) continue;
    sum[0] += r.block[i];
    if (r.to[i] < to) sum[r.to[i] - from] -= r.block[i];
  }
  for (let i = 1; i < sum.length; i++) sum[i] += sum[i - 1];
  if (r.others) for (let i = 0; i < to - from; i++) sum[i] += r.others[from + i];
  return sum;
}

// bandAt is the band at a moment and a height in bytes, -1 for none.
function bandAt(r, moment, bytes) {
  let sum = r.others ? r.others[moment] : 0;
  if (bytes < sum) return -1;
  for (const b of r.activeAt(moment)) {
    sum += r.block[b];
    if (bytes < sum) return b;
  }
  return -1;
}

function clamp(n, low, high) { return Math.min(Math.max(n, low), high); }

// upperBound is the first place behind all that are at most n.
function upperBound(sorted, n) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}
