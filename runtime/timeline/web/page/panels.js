// What stands beside the picture: figures, story, the moment, the table
// of holders, the chosen band, and the box under the pointer.

const actionWords = {
  a: 'allocates', r: 'lets go of', c: 'frees', S: 'reserves a segment of', F: 'gives back a segment of',
  M: 'maps pages of', U: 'unmaps pages of', o: 'runs out of memory', '?': 'does something unknown', '-': 'the start',
};

// eventText says what the event before a moment did.
function eventText(r, moment) {
  const action = r.actions[moment], subject = r.subjects[moment];
  const word = actionWords[action];
  if (subject < 0) return word;
  if ('SFMU'.includes(action)) return word + ' ' + short(r.pieces[subject].size);
  if ('arc'.includes(action)) return word + ' ' + r.nameOf(subject) + ', ' + short(r.block[subject]);
  return word;
}

// lifeText says when a band begins and ends.
function lifeText(r, b) {
  const from = r.from[b] === 0 ? 'there from the start' : 'from event ' + exact(r.eventNumber(r.from[b]));
  if (r.asked[b] > r.last) return from + ', held at the end';
  let text = from + ' to ' + exact(r.eventNumber(Math.min(r.to[b], r.last)));
  if (r.to[b] > r.last) text = from + ', let go at event ' + exact(r.eventNumber(r.asked[b])) + ', waits for an event of another stream at the end';
  else if (r.waits(b) > 0) text += ', waits for an event of another stream from ' + exact(r.eventNumber(r.asked[b])) + ' on';
  return text;
}

function kindText(r, b) {
  return ['freed before the end', 'held at the end', 'part of a pile'][r.kind[b]];
}

function placeText(r, b) {
  const place = r.place(b);
  return place ? place.file + ':' + place.line : '';
}

// drawRecording fills in what belongs to a recording as a whole.
function drawRecording(app) {
  const r = app.recording;
  setText(byId('recording'), r.title);
  const parts = [r.device, r.total > 0 ? short(r.total) : '', plural(r.events, 'event')];
  setText(byId('about'), parts.filter(Boolean).join(' · '));
  const held = heldAtEnd(r);
  const figures = [
    ['peak allocated', short(r.peak[r.last]), 'event ' + exact(r.eventNumber(r.peakAt))],
    ['peak reserved', short(r.mostReserved), 'from the driver'],
    ['held at the end', short(held.bytes), plural(held.count, 'allocation')],
  ];
  byId('figures').replaceChildren(...figures.map(([name, value, note]) => {
    const box = element('div'), dd = element('dd', value);
    dd.append(element('small', note));
    box.append(element('dt', name), dd);
    return box;
  }));
  tellStory(r);
  byId('story').append(...comparison(app.recordings, r));
  const left = byId('left');
  left.hidden = !r.left;
  if (r.left) setText(left, leftText(r));
}

function heldAtEnd(r) {
  let count = 0, bytes = 0;
  for (let b = 0; b < r.bands; b++) {
    if (r.asked[b] <= r.last) continue;
    count++;
    bytes += r.block[b];
  }
  return { count, bytes };
}

function leftText(r) {
  const l = r.left;
  let text = 'This history has ' + exact(r.events) + ' events. The page shows ' + exact(r.last) + ' of them, with the largest allocations. '
    + 'Left out: ' + plural(l.bands, 'allocation') + ' of at most ' + short(l.largest) + ' each, together never more than '
    + short(l.most) + '. They are drawn as one grey band at the bottom. All counters are exact.';
  if (l.segments > 0) text += ' The segment map lacks ' + plural(l.segments, 'small piece') + '.';
  return text;
}

// tellStory says in a sentence or two what there is to see.
function tellStory(r) {
  const story = byId('story');
  story.replaceChildren();
  const statement = r.statements[r.statementAt(r.peakAt)];
  story.append('At the peak, ' + short(r.peak[r.last]) + ' are allocated' + (statement ? ', during ' : '.'));
  if (statement) story.append(element('code', statement.text), '.');
  const piles = r.piles.map((p, i) => ({ ...p, number: i })).filter((p) => p.bytes >= r.peak[r.last] / 50);
  if (piles.length > 0) story.append(' ', ...pilesStory(r, piles));
}

// pilesStory tells of the two largest piles in one sentence.
function pilesStory(r, piles) {
  const heads = ['', 'Piles up: ', 'Two things pile up: '];
  const strong = element('b', heads[piles.length] || piles.length + ' things pile up, the largest two: ');
  strong.className = 'pile';
  return [strong, ...piles.slice(0, 2).flatMap((p, i) => [i > 0 ? '; and ' : '', ...pileStory(r, p)]), '.'];
}

function pileStory(r, p) {
  const [place] = r.frames(p.stack);
  return ['what ', sourceLink(place.file, place.line), ' makes grows to ' + plural(p.count, 'allocation') + ' with ' + short(p.bytes), ...pileEnd(r, p)];
}

// pileEnd says when a pile goes: in which statement most of it does, if there is
// one.
function pileEnd(r, p) {
  const { all, most, end } = whereMostGoes(r, p);
  if (most * 2 <= all) return [' and goes bit by bit' + (p.until > r.last ? ', but some stay to the end' : ' until event ' + exact(r.eventNumber(p.until)))];
  const share = most === all ? ', all of which ' : ', most of which ';
  if (end > r.last) return [most === all ? ' and is there to the end' : share + 'stay to the end'];
  const statement = r.statements[r.statementAt(end)];
  const from = share + 'go from event ' + exact(r.eventNumber(end)) + ' on';
  return statement ? [from + ', in ', element('code', statement.text)] : [from];
}

// whereMostGoes finds the statement in which most bytes of a pile are let go of,
// and the first event of that. What is held at the end goes in none.
function whereMostGoes(r, p) {
  const parts = new Map();
  let all = 0;
  for (let b = 0; b < r.bands; b++) {
    if (r.pile[b] !== p.number) continue;
    const key = r.asked[b] > r.last ? 'end' : r.statementAt(r.asked[b]);
    const part = parts.get(key) || { most: 0, end: Infinity };
    part.most += r.block[b];
    part.end = Math.min(part.end, r.asked[b]);
    parts.set(key, part);
    all += r.block[b];
  }
  return [...parts.values()].reduce((best, part) => (part.most > best.most ? { all, ...part } : best), { all, most: 0, end: Infinity });
}

// drawMoment fills in what belongs to the moment.
function drawMoment(app) {
  const { recording: r, moment } = app;
  setText(byId('now-title'), 'Event ' + exact(r.eventNumber(moment)) + ' of ' + exact(r.events));
  setText(byId('event'), eventText(r, moment));
  setText(byId('allocated'), exact(r.allocated[moment]));
  setText(byId('reserved'), exact(r.reserved[moment]));
  setText(byId('peak'), exact(r.peak[moment]));
  drawStatement(r, moment);
  const slider = byId('moment');
  slider.max = r.last;
  slider.value = moment;
  slider.setAttribute('aria-valuetext', 'event ' + exact(r.eventNumber(moment)) + ', ' + short(r.allocated[moment]) + ' allocated');
}

function drawStatement(r, moment) {
  const s = r.statements[r.statementAt(moment)];
  byId('now').querySelector('.statement').hidden = r.statements.length === 0;
  setText(byId('statement'), s ? s.text : r.statements.length > 0 ? 'after the last statement' : '');
  const source = byId('source');
  const key = s ? s.file + ':' + s.line : '';
  if (source.textContent === key) return;
  source.replaceChildren();
  if (s && s.file) source.append(sourceLink(s.file, s.line));
}

// drawHolders fills the table of those who hold most.
function drawHolders(app) {
  const { recording: r, moment } = app;
  const body = byId('holders').tBodies[0];
  const some = r.largest(moment, 10);
  setText(byId('holders-about'), some.length === 0 ? 'Nobody holds anything.' : 'The largest at event ' + exact(r.eventNumber(moment)) + '.');
  byId('holders').hidden = some.length === 0;
  while (body.rows.length > some.length) body.deleteRow(-1);
  while (body.rows.length < some.length) body.append(holderRow(app));
  some.forEach((b, i) => fillHolder(r, b, body.rows[i], app));
}

function holderRow(app) {
  const row = element('tr'), name = element('td'), bytes = element('td'), made = element('td');
  const button = element('button'), swatch = element('span');
  button.type = 'button';
  button.append(swatch, element('span'));
  button.addEventListener('click', () => app.choose(Number(row.dataset.band)));
  name.append(button);
  bytes.className = 'number';
  row.append(name, bytes, made);
  return row;
}

function fillHolder(r, b, row, app) {
  row.dataset.band = b;
  row.className = b === app.chosen ? 'chosen' : '';
  const [swatch, name] = row.cells[0].firstChild.children;
  swatch.className = 'swatch ' + kinds[r.kind[b]];
  swatch.title = kindText(r, b);
  setText(name, r.heldBy(b, app.moment));
  setText(row.cells[1], exact(r.block[b]));
  const place = placeText(r, b);
  if (row.cells[2].title !== place) {
    const frame = r.place(b);
    row.cells[2].title = place;
    row.cells[2].replaceChildren(...(frame ? [sourceLink(frame.file, frame.line, fileName(frame.file) + ':' + frame.line)] : []));
  }
}

// drawChosen says all about the chosen band.
function drawChosen(app) {
  const { recording: r, chosen: b } = app;
  byId('chosen').hidden = b < 0;
  if (b < 0) return;
  setText(byId('chosen-name'), r.nameOf(b) + ': ' + exact(r.size[b]) + ' bytes asked for, ' + exact(r.block[b]) + ' occupied');
  setText(byId('chosen-life'), lifeText(r, b) + ' · ' + r.address(r.space[b], r.offset[b]));
  byId('chosen-frames').replaceChildren(...r.frames(r.stack[b]).map((f) => {
    const item = element('li');
    item.append(element('code', f.name), ' ', sourceLink(f.file, f.line));
    return item;
  }));
}

// drawTip shows what is under the pointer.
function drawTip(app) {
  const { recording: r, hover } = app, tip = byId('tip');
  tip.hidden = hover.moment < 0;
  if (tip.hidden) return;
  const lines = [];
  if (hover.band >= 0) {
    lines.push(element('b', r.nameOf(hover.band)), line(short(r.block[hover.band]) + ' (' + exact(r.block[hover.band]) + ' bytes), ' + kindText(r, hover.band)));
    const place = placeText(r, hover.band);
    if (place) lines.push(line(place));
    lines.push(line(lifeText(r, hover.band)));
  } else {
    lines.push(element('b', 'event ' + exact(r.eventNumber(hover.moment))),
      line('allocated ' + short(r.allocated[hover.moment]) + ', reserved ' + short(r.reserved[hover.moment])));
  }
  tip.replaceChildren(...lines);
  const plot = byId('plot');
  const right = hover.x + 16 + tip.offsetWidth > plot.clientWidth;
  tip.style.left = Math.max(0, right ? hover.x - 16 - tip.offsetWidth : hover.x + 16) + 'px';
  tip.style.top = clamp(hover.y - tip.offsetHeight - 10, 0, Math.max(0, plot.clientHeight - tip.offsetHeight)) + 'px';
}

function line(text) { return element('div', text); }

// spoken is what the live region says after a key.
function spoken(app) {
  const { recording: r, moment, chosen: b } = app;
  let text = 'Event ' + exact(r.eventNumber(moment)) + ' of ' + exact(r.events) + ': ' + eventText(r, moment) + '. ';
  if (b >= 0 && r.isActive(b, moment)) {
    text += 'Band ' + r.nameOf(b) + ', ' + exact(r.block[b]) + ' bytes, ' + kindText(r, b) + (placeText(r, b) ? ', made at ' + placeText(r, b) : '') + '. ';
  }
  return text + exact(r.allocated[moment]) + ' bytes allocated, ' + exact(r.reserved[moment]) + ' reserved.';
}
