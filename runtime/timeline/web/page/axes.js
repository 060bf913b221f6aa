// Axes: bytes upwards, events to the right, and the statements below.

// binaryTicks picks amounts that are round as bytes are counted: multiples of a
// power of two.
function binaryTicks(top, count) {
  let step = 1;
  while (top / step > count) step *= 2;
  const ticks = [];
  for (let bytes = 0; bytes <= top; bytes += step) ticks.push(bytes);
  return ticks;
}

function decimalStep(span, count) {
  let step = 1;
  for (let i = 0; span / step > count; i++) step *= [2, 2.5, 2][i % 3];
  return step;
}

function drawBytes(c, box, top) {
  c.font = '12px system-ui, sans-serif';
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  c.lineWidth = 1;
  for (const bytes of binaryTicks(top, box.height / 42)) {
    const y = Math.round(box.y + box.height - bytes / top * box.height) + .5;
    c.strokeStyle = colours.grid;
    c.beginPath();
    c.moveTo(box.x, y);
    c.lineTo(box.x + box.width, y);
    c.stroke();
    c.fillStyle = colours.quiet;
    c.fillText(bytes === 0 ? '0' : short(bytes), box.x - 6, Math.max(y, box.y + 5));
  }
}

function drawEvents(c, box, view, r) {
  const step = decimalStep(view.span, box.width / 80);
  c.font = '12px system-ui, sans-serif';
  c.textAlign = 'center';
  c.textBaseline = 'top';
  c.fillStyle = colours.quiet;
  const y = box.y + box.height + 5;
  for (let m = Math.ceil(view.from / step) * step; m < Math.min(view.from + view.span, r.count); m += step) {
    const x = box.x + (m + .5 - view.from) / view.span * box.width;
    if (x > box.x + box.width - 30 || x < box.x + 8) continue;
    c.fillText(exact(r.eventNumber(m)), x, y);
  }
  c.textAlign = 'right';
  c.fillText('event', box.x - 6, y);
}

// drawStatements marks where statements end, and spells those that have room.
function drawStatements(c, box, view, r, at) {
  const y = box.y + box.height + STATEMENT_TOP;
  c.font = '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.save();
  c.beginPath();
  c.rect(box.x, y, box.width, STATEMENT_HEIGHT);
  c.clip();
  let drawn = -Infinity;
  for (let s = 0; s < r.statements.length; s++) {
    const [x1, x2] = statementSpan(r, s, box, view);
    if (x2 < box.x || x1 > box.x + box.width) continue;
    if (s === at) {
      c.fillStyle = colours.accent;
      c.globalAlpha = .18;
      c.fillRect(x1, y, Math.max(2, x2 - x1), STATEMENT_HEIGHT);
      c.globalAlpha = 1;
    }
    if (x2 - drawn >= 3) {
      c.fillStyle = colours.quiet;
      c.fillRect(Math.round(x2), y, 1, STATEMENT_HEIGHT);
      drawn = x2;
    }
    const from = Math.max(x1, box.x) + 4;
    if (x2 - from > 40) {
      c.fillStyle = s === at ? colours.ink : colours.quiet;
      c.fillText(fitted(c, r.statements[s].text, x2 - from - 6), from, y + STATEMENT_HEIGHT / 2 + .5);
    }
  }
  c.restore();
}

const STATEMENT_TOP = 24, STATEMENT_HEIGHT = 20;

// statementSpan is where the events of a statement are, in pixels.
function statementSpan(r, s, box, view) {
  const from = s === 0 ? 0 : r.statements[s - 1].end + 1;
  const to = r.statements[s].end + 1;
  const x = (moment) => box.x + (moment - view.from) / view.span * box.width;
  return [x(Math.min(from, to)), x(to)];
}

// fitted cuts a text so that it fits.
function fitted(c, text, width) {
  if (c.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (c.measureText(text.slice(0, middle) + '…').width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 3 ? text.slice(0, low) + '…' : '';
}
