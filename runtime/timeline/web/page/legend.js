// What the colours and lines of the picture mean.

// drawLegend draws a sign for each thing that the picture may show.
function drawLegend(app) {
  const r = app.recording, list = byId('legend');
  list.replaceChildren();
  const has = (kind) => r.kind.includes(kind);
  const entries = [
    [has(FREED), 'freed before the end', (c) => ground(c, tint(FREED, 0))],
    [has(HELD), 'held at the end', (c) => ground(c, tint(HELD, 0))],
    [has(PILE), 'piles up, round after round', (c) => { ground(c, tint(PILE, 0)); hatchOver(c, 0, 0, 22, 14, colours.hatch); }],
    [r.someWait, 'waits for an event', (c) => { ground(c, colours.waits); hatchOver(c, 0, 0, 22, 14, colours.card); }],
    [r.left, 'smaller ones together', (c) => ground(c, colours.others)],
    [true, 'cached', (c) => { ground(c, colours.cached); c.strokeStyle = colours.line; c.strokeRect(.5, .5, 21, 13); }],
    ...lines.slice().reverse().map((line) => [true, line.text, (c) => {
      line.style(c);
      c.beginPath();
      c.moveTo(0, 7);
      c.lineTo(22, 7);
      c.stroke();
    }]),
  ];
  for (const [shown, text, draw] of entries) {
    if (!shown) continue;
    const item = element('li');
    const sign = element('canvas');
    sign.setAttribute('aria-hidden', 'true');
    item.append(sign, element('span', text));
    list.append(item);
    draw(new Canvas(sign).begin());
  }
}

function ground(c, colour) {
  c.fillStyle = colour;
  c.fillRect(0, 0, 22, 14);
}
