// The large picture: bands, curves, labels, and what is pointed at.

const QUICK = 2.5e6, CAREFUL = 4e7; // steps of work for a frame

// Canvas is a canvas whose drawing is in CSS pixels and sharp on every screen.
class Canvas {
  constructor(e) {
    this.element = e;
    this.context = e.getContext('2d');
  }

  // begin fits the canvas to its place and clears it.
  begin() {
    const dpr = Math.min(window.devicePixelRatio || 1, 3);
    const width = this.element.clientWidth, height = this.element.clientHeight;
    const w = Math.max(1, Math.round(width * dpr)), h = Math.max(1, Math.round(height * dpr));
    if (this.element.width !== w || this.element.height !== h) {
      this.element.width = w;
      this.element.height = h;
    }
    Object.assign(this, { width, height, dpr });
    this.context.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.context.clearRect(0, 0, width, height);
    return this.context;
  }
}

class Chart {
  constructor(app) {
    this.app = app;
    this.picture = new Canvas(byId('picture'));
    this.overlay = new Canvas(byId('timeline'));
    this.raster = new Raster();
  }

  // box is where the bands are, in CSS pixels.
  box() {
    const width = this.picture.element.clientWidth, height = this.picture.element.clientHeight;
    const x = width < 520 ? 52 : 62;
    const bottom = this.app.recording.statements.length > 0 ? STATEMENT_TOP + STATEMENT_HEIGHT + 2 : 24;
    return { x, y: 20, width: Math.max(40, width - x - 6), height: Math.max(40, height - 20 - bottom) };
  }

  xOf(moment) {
    const box = this.box(), { view } = this.app;
    return box.x + (moment - view.from) / view.span * box.width;
  }

  // momentAt is the moment under a place.
  momentAt(x) {
    const box = this.box(), { view, recording } = this.app;
    const columns = this.raster.width || 1;
    const column = clamp(Math.floor((x - box.x) / box.width * columns), 0, columns - 1);
    return clamp(Math.floor(view.from + (column + .5) / columns * view.span), 0, recording.last);
  }

  bytesAt(y) {
    const box = this.box();
    return (box.y + box.height - y) / box.height * this.app.top;
  }

  // drawPicture draws what stays while the pointer moves. It returns false where
  // it saved work.
  drawPicture(budget) {
    const { recording: r, view, top } = this.app;
    const c = this.picture.begin(), dpr = this.picture.dpr, box = this.box();
    this.drawCached(c, box);
    drawBytes(c, box, top);
    this.raster.resize(Math.round(box.width * dpr), Math.round(box.height * dpr));
    const done = this.raster.draw(r, view, top, dpr, budget);
    c.imageSmoothingEnabled = false;
    c.drawImage(this.raster.canvas, box.x, box.y, box.width, box.height);
    this.drawCurves(c, box);
    this.drawLabels(c, box);
    drawEvents(c, box, view, r);
    return done;
  }

  // curve calls a function with the corners of a curve.
  curve(values, box, corner) {
    const { recording: r, view, top } = this.app;
    const columns = Math.round(box.width);
    let before = null;
    for (let x = 0; x <= columns; x++) {
      const from = clamp(Math.floor(view.from + x / columns * view.span), 0, r.last);
      const to = clamp(Math.ceil(view.from + (x + 1) / columns * view.span), from + 1, r.count);
      let most = values[from];
      for (let m = from + 1; m < to && to - from > 2; m++) most = Math.max(most, values[m]);
      const y = box.y + box.height - most / top * box.height;
      if (before !== null && y !== before) corner(box.x + x, before);
      if (before === null || y !== before) corner(box.x + x, y);
      before = y;
    }
    corner(box.x + columns, before);
  }

  // drawCached shades what is reserved. Where that is higher than the picture, it
  // says how much it is.
  drawCached(c, box) {
    c.fillStyle = colours.cached;
    c.beginPath();
    c.moveTo(box.x, box.y + box.height);
    this.curve(this.app.recording.reserved, box, (x, y) => c.lineTo(x, Math.max(y, box.y)));
    c.lineTo(box.x + box.width, box.y + box.height);
    c.fill();
  }

  drawCurves(c, box) {
    const r = this.app.recording;
    c.save();
    c.beginPath();
    c.rect(box.x, box.y - 2, box.width, box.height + 3);
    c.clip();
    for (const line of lines) {
      c.beginPath();
      line.style(c);
      this.curve(r[line.name], box, (x, y) => c.lineTo(x, y));
      c.stroke();
    }
    c.restore();
    c.setLineDash([]);
    const most = r.mostReserved;
    if (most <= this.app.top) return;
    c.font = '12px system-ui, sans-serif';
    c.textAlign = 'right';
    c.textBaseline = 'bottom';
    c.fillStyle = colours.reserved;
    c.fillText('up to ' + short(most) + ' reserved, above the picture ↑', box.x + box.width, box.y - 4);
  }

  drawLabels(c, box) {
    const r = this.app.recording, dpr = this.picture.dpr;
    c.textBaseline = 'middle';
    c.textAlign = 'left';
    let count = 0;
    for (const place of this.raster.stretches()) {
      const width = (place.end - place.start) / dpr - 10;
      if (width < 34 || ++count > 60) continue;
      const height = place.low - place.high >= 16 * dpr ? 12 : 10.5;
      c.font = (r.kind[place.b] === FREED ? '' : '600 ') + height + 'px system-ui, sans-serif';
      const bytes = short(r.block[place.b]);
      let text = fitted(c, r.nameOf(place.b) + '  ' + bytes, width);
      if (text.endsWith('…')) text = fitted(c, r.nameOf(place.b), width);
      this.writeOn(c, r.kind[place.b], text, box.x + place.start / dpr + 5, box.y + (place.low + place.high) / 2 / dpr + 1);
    }
  }

  // writeOn writes on a band. On a hatched one the text gets a ground.
  writeOn(c, kind, text, x, y) {
    if (!text) return;
    if (kind === PILE) {
      c.fillStyle = colours['pile-2'];
      c.fillRect(x - 3, y - 5.5, c.measureText(text).width + 6, 11);
    }
    c.fillStyle = colours['on-' + kinds[kind]];
    c.fillText(text, x, y);
  }

  drawPeak(c, box) {
    const { recording: r, top } = this.app;
    const x = this.xOf(r.peakAt + .5);
    if (x < box.x || x > box.x + box.width) return;
    const y = box.y + box.height - r.peak[r.last] / top * box.height;
    const text = 'peak ' + short(r.peak[r.last]);
    c.font = '600 12px system-ui, sans-serif';
    const width = c.measureText(text).width;
    const at = clamp(x - width / 2, box.x + 2, box.x + box.width - width - 2);
    c.fillStyle = colours.ink;
    c.beginPath();
    c.moveTo(x, y - 1);
    c.lineTo(x - 4, y - 7);
    c.lineTo(x + 4, y - 7);
    c.fill();
    c.textAlign = 'left';
    c.textBaseline = 'bottom';
    c.lineWidth = 4;
    c.lineJoin = 'round';
    c.strokeStyle = colours.card;
    c.strokeText(text, at, y - 8);
    c.fillText(text, at, y - 8);
  }

  // drawOverlay draws the moment, the band that is chosen and the one under the
  // pointer.
  drawOverlay() {
    const { recording: r, view, moment, hover, chosen } = this.app;
    const c = this.overlay.begin(), box = this.box();
    drawStatements(c, box, view, r, r.statementAt(moment));
    c.save();
    c.beginPath();
    c.rect(box.x, box.y - 4, box.width, box.height + 4);
    c.clip();
    if (hover.band >= 0 && hover.band !== chosen) this.outline(c, box, hover.band, 1.5);
    if (chosen >= 0) this.outline(c, box, chosen, 2.5);
    const x = this.xOf(moment + .5);
    c.strokeStyle = colours.accent;
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(x, box.y - 4);
    c.lineTo(x, box.y + box.height);
    c.stroke();
    c.fillStyle = colours.accent;
    const y = box.y + box.height - r.allocated[moment] / this.app.top * box.height;
    c.beginPath();
    c.arc(x, y, 4.5, 0, 7);
    c.fill();
    c.restore();
    this.drawPeak(c, box);
  }

  // outline draws around a band for as long as it lives.
  outline(c, box, b, width) {
    const { recording: r, view, top } = this.app;
    const sums = below(r, b);
    const from = Math.max(r.from[b], Math.floor(view.from)), to = Math.min(r.to[b], r.count, Math.ceil(view.from + view.span));
    if (from >= to) return;
    const stride = Math.max(1, Math.floor((to - from) / box.width));
    const x = (m) => clamp(box.x + (m - view.from) / view.span * box.width, box.x - 5, box.x + box.width + 5);
    const y = (bytes) => box.y + box.height - bytes / top * box.height;
    const edge = (corner, extra) => {
      for (let m = from; m < to; m += stride) {
        corner(x(m), y(sums[m - r.from[b]] + extra));
        corner(x(Math.min(m + stride, to)), y(sums[m - r.from[b]] + extra));
      }
    };
    const lower = [];
    c.beginPath();
    edge((px, py) => c.lineTo(px, py), r.block[b]);
    edge((px, py) => lower.push([px, py]), 0);
    for (const [px, py] of lower.reverse()) c.lineTo(px, py);
    c.closePath();
    c.lineJoin = 'round';
    c.strokeStyle = colours.card;
    c.lineWidth = width + 2;
    c.stroke();
    c.strokeStyle = colours.ink;
    c.lineWidth = width;
    c.stroke();
  }
}

// lines are the curves, the last on top.
const lines = [
  { name: 'peak', text: 'peak so far', style: (c) => { c.strokeStyle = colours.peak; c.lineWidth = 1.5; c.setLineDash([2, 4]); } },
  { name: 'reserved', text: 'reserved', style: (c) => { c.strokeStyle = colours.reserved; c.lineWidth = 2; c.setLineDash([7, 4]); } },
  { name: 'allocated', text: 'allocated', style: (c) => { c.strokeStyle = colours.allocated; c.lineWidth = 1.75; c.setLineDash([]); } },
];
