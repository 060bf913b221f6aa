// The keyboard, for the picture when it has the focus.

function listenToKeys(app) {
  byId('timeline').addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act(app, event.shiftKey ? 10 : 1);
    app.speak();
  });
}

const keys = {
  ArrowRight: (app, n) => app.setMoment(app.moment + n),
  ArrowLeft: (app, n) => app.setMoment(app.moment - n),
  ArrowUp: (app, n) => app.climb(n),
  ArrowDown: (app, n) => app.climb(-n),
  Home: (app) => app.setMoment(0),
  End: (app) => app.setMoment(app.recording.last),
  PageDown: (app) => app.step(1),
  PageUp: (app) => app.step(-1),
  p: (app) => app.setMoment(app.recording.peakAt),
  P: (app) => app.setMoment(app.recording.peakAt),
  '+': (app) => app.zoomAtMoment(1 / 1.5),
  '=': (app) => app.zoomAtMoment(1 / 1.5),
  '-': (app) => app.zoomAtMoment(1.5),
  '0': (app) => app.showAll(),
  f: (app) => app.fit(!app.fits),
  F: (app) => app.fit(!app.fits),
  Escape: (app) => app.choose(-1),
};
