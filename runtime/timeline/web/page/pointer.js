// Mouse and touch on the large picture and on the overview.

class Pointer {
  constructor(app, chart) {
    this.app = app;
    this.chart = chart;
    this.down = new Map();
    this.moved = 0;
    const e = byId('timeline');
    e.addEventListener('pointerdown', (event) => this.press(event));
    e.addEventListener('pointermove', (event) => this.move(event));
    e.addEventListener('pointerup', (event) => this.release(event));
    e.addEventListener('pointercancel', (event) => this.down.delete(event.pointerId));
    e.addEventListener('pointerleave', () => app.setHover(-1, -1));
    e.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    const o = byId('overview');
    o.addEventListener('pointerdown', (event) => { o.setPointerCapture(event.pointerId); this.jump(event); });
    o.addEventListener('pointermove', (event) => { if (event.buttons) this.jump(event); });
  }

  press(event) {
    event.target.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, event);
    if (this.down.size === 1) this.moved = 0;
  }

  move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== 'touch') this.point(event);
      return;
    }
    if (this.down.size === 2) this.pinch(event);
    else this.drag(before, event);
    this.down.set(event.pointerId, event);
  }

  drag(before, event) {
    const dx = event.offsetX - before.offsetX;
    this.moved += Math.abs(dx) + Math.abs(event.offsetY - before.offsetY);
    if (this.moved < 6) return;
    this.app.setHover(-1, -1);
    this.app.pan(-dx / this.chart.box().width * this.app.view.span);
  }

  // pinch keeps what is under both fingers under them.
  pinch(event) {
    const [x1, x2] = [...this.down.values()].map((p) => p.offsetX);
    const [y1, y2] = [...this.down.values()].map((p) => (p.pointerId === event.pointerId ? event : p).offsetX);
    this.moved = 1e3;
    const apart = Math.max(20, Math.abs(y1 - y2));
    this.app.zoom(Math.max(20, Math.abs(x1 - x2)) / apart, this.share((x1 + x2) / 2));
    this.app.pan(((x1 + x2) / 2 - (y1 + y2) / 2) / this.chart.box().width * this.app.view.span);
  }

  release(event) {
    const wasAlone = this.down.size === 1;
    this.down.delete(event.pointerId);
    if (!wasAlone || this.moved >= 6) return;
    const { moment, band } = this.under(event);
    this.app.setMoment(moment);
    this.app.choose(band);
    if (event.pointerType === 'touch') this.app.setHover(-1, -1);
  }

  under(event) {
    const box = this.chart.box();
    const moment = this.chart.momentAt(event.offsetX);
    const inside = event.offsetY <= box.y + box.height && event.offsetX >= box.x;
    return { moment, band: inside ? bandAt(this.app.recording, moment, this.chart.bytesAt(event.offsetY)) : -1 };
  }

  point(event) {
    const { moment, band } = this.under(event);
    this.app.setHover(moment, band, event.offsetX, event.offsetY);
  }

  share(x) {
    const box = this.chart.box();
    return clamp((x - box.x) / box.width, 0, 1);
  }

  wheel(event) {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (sideways) {
      event.preventDefault();
      this.app.pan(event.deltaX / this.chart.box().width * this.app.view.span);
    } else if (event.ctrlKey || event.metaKey || document.activeElement === event.target) {
      event.preventDefault();
      this.app.zoom(Math.exp(clamp(event.deltaY, -200, 200) / 300), this.share(event.offsetX));
    }
  }

  // jump moves the view to where the overview is pressed.
  jump(event) {
    const { view, recording } = this.app;
    const box = this.chart.box();
    const moment = (event.offsetX - box.x) / box.width * recording.count;
    this.app.show(moment - view.span / 2, view.span);
  }
}
