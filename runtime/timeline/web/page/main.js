// The page: what is shown, and what changes it. Changes mark what has to be drawn
// again, and it is drawn once before the next frame.

const LEAST_SPAN = 5;

class App {
  constructor(recordings) {
    this.recordings = recordings;
    this.recording = recordings[0];
    this.hover = { moment: -1, band: -1, x: 0, y: 0 };
    this.commonTop = commonTop(recordings);
    this.chosen = -1;
    this.waiting = false;
    this.frames = 0;
    this.stale = new Set();
    this.chart = new Chart(this);
    this.map = new SegmentMap(this);
    this.thumbs = new Thumbs(this);
    this.overview = new Canvas(byId('overview'));
    new Pointer(this, this.chart);
    listenToKeys(this);
    this.listen();
    startTheme(() => this.redrawAll());
    this.select(startingRecording(recordings));
  }

  listen() {
    byId('moment').addEventListener('input', (event) => this.setMoment(Number(event.target.value)));
    byId('zoom-in').addEventListener('click', () => this.zoomAtMoment(1 / 1.5));
    byId('zoom-out').addEventListener('click', () => this.zoomAtMoment(1.5));
    byId('zoom-all').addEventListener('click', () => this.showAll());
    byId('fit').addEventListener('click', () => this.fit(!this.fits));
    byId('before').addEventListener('click', () => { this.step(-1); this.speak(); });
    byId('after').addEventListener('click', () => { this.step(1); this.speak(); });
    new ResizeObserver(() => this.redrawAll()).observe(document.body);
  }

  // select shows another recording.
  select(i) {
    const r = this.recording = this.recordings[i];
    this.view = { from: 0, span: r.count };
    this.fits = r.mostReserved > 2.5 * r.mostActive;
    this.moment = r.peakAt;
    this.hover = { moment: -1, band: -1, x: 0, y: 0 };
    this.chosen = -1;
    drawRecording(this);
    this.redrawAll();
  }

  // fit chooses what the height shows: the bands, or also what is reserved.
  fit(bands) {
    this.fits = bands;
    this.mark('picture');
  }

  // top is the bytes at the upper edge.
  get top() { return 1.04 * (this.fits ? Math.max(1, this.recording.mostActive) : this.commonTop || this.recording.top); }

  redrawAll() {
    drawLegend(this);
    byId('timeline').setAttribute('aria-label', 'Timeline of ' + this.recording.title + ': ' + byId('story').textContent);
    this.mark('thumbs', 'picture', 'overlay', 'moment', 'chosen');
  }

  // setMoment moves to a moment, and the view with it.
  setMoment(moment) {
    this.moment = clamp(Math.round(moment), 0, this.recording.last);
    const { from, span } = this.view;
    if (this.moment < from) this.show(this.moment - span * .1, span);
    else if (this.moment + 1 > from + span) this.show(this.moment + 1 - span * .9, span);
    this.mark('overlay', 'moment');
  }

  // step moves to the end of the statement before or after.
  step(by) {
    const r = this.recording, now = r.statementAt(this.moment);
    if (r.statements.length === 0) return;
    const ends = r.statements.map((s) => s.end);
    if (by > 0) {
      const next = ends.find((end) => end > this.moment);
      this.setMoment(next === undefined ? r.last : next);
    } else {
      let i = Math.min(now, ends.length) - 1;
      while (i >= 0 && ends[i] >= this.moment) i--;
      this.setMoment(i < 0 ? 0 : ends[i]);
    }
  }

  // climb chooses the band above or below the chosen one.
  climb(by) {
    const bands = this.recording.activeAt(this.moment);
    if (bands.length === 0) return;
    const now = bands.indexOf(this.chosen);
    if (now < 0) this.choose(by > 0 ? bands[0] : bands[bands.length - 1]);
    else this.choose(bands[clamp(now + by, 0, bands.length - 1)]);
  }

  choose(band) {
    this.chosen = band;
    this.mark('overlay', 'moment', 'chosen');
    if (band >= 0) this.speak();
  }

  setHover(moment, band, x = 0, y = 0) {
    this.hover = { moment, band, x, y };
    this.mark('overlay', 'tip', 'map');
  }

  // show sets the view, within the history.
  show(from, span) {
    const count = this.recording.count;
    span = clamp(span, Math.min(LEAST_SPAN, count), count);
    this.view = { from: clamp(from, 0, count - span), span };
    this.mark('picture', 'overlay');
  }

  pan(moments) { this.show(this.view.from + moments, this.view.span); }

  // zoom keeps the moment at a share of the width where it is.
  zoom(factor, share) {
    const { from, span } = this.view;
    const least = Math.min(LEAST_SPAN, this.recording.count);
    const next = clamp(span * factor, least, this.recording.count);
    this.show(from + (span - next) * share, next);
  }

  zoomAtMoment(factor) {
    const share = (this.moment + .5 - this.view.from) / this.view.span;
    this.zoom(factor, share >= 0 && share <= 1 ? share : .5);
  }

  showAll() { this.show(0, this.recording.count); }

  speak() { setText(byId('live'), spoken(this)); }

  // mark remembers what is to be drawn again.
  mark(...parts) {
    for (const part of parts) this.stale.add(part);
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.frame());
  }

  frame() {
    this.waiting = false;
    const parts = this.stale;
    this.stale = new Set();
    const begin = performance.now();
    if (parts.has('thumbs')) this.thumbs.draw();
    if (parts.has('picture')) this.drawPicture();
    if (parts.has('overlay') || parts.has('picture')) this.chart.drawOverlay();
    if (parts.has('tip') || parts.has('picture')) drawTip(this);
    if (parts.has('moment')) { drawMoment(this); drawHolders(this); }
    if (parts.has('moment') || parts.has('map')) this.map.draw();
    if (parts.has('chosen')) drawChosen(this);
    if (parts.has('picture') || parts.has('moment')) drawOverview(this, this.overview, this.chart.box());
    if (++this.frames % 1000 === 0) performance.clearMeasures('frame');
    performance.measure('frame', { start: begin });
  }

  // drawPicture draws quickly while things move, and carefully when they rest.
  drawPicture() {
    clearTimeout(this.rest);
    byId('fit').setAttribute('aria-pressed', this.fits);
    byId('slider').style.marginLeft = this.chart.box().x - 8 + 'px';
    if (this.chart.drawPicture(QUICK)) return;
    this.rest = setTimeout(() => { this.chart.drawPicture(CAREFUL); }, 150);
  }
}

// commonTop is one height for all recordings, so that they can be compared, or
// zero where the smaller ones would be too small.
function commonTop(recordings) {
  const tops = recordings.map((r) => r.top);
  return Math.max(...tops) <= 2 * Math.min(...tops) ? Math.max(...tops) : 0;
}

// startingRecording is the program with the largest piles, or else the highest
// peak. Where there are no programs, it is the first.
function startingRecording(recordings) {
  if (recordings.every((r) => r.statements.length === 0)) return 0;
  const weight = (r) => [r.piles.reduce((sum, p) => sum + p.bytes, 0), r.peak[r.last]];
  let best = 0;
  recordings.forEach((r, i) => {
    const [pile, peak] = weight(r), [bestPile, bestPeak] = weight(recordings[best]);
    if (pile > bestPile || (pile === bestPile && peak > bestPeak)) best = i;
  });
  return best;
}

new App(readData());
