// The recordings, from the columns that the page holds.

function sums(steps, Kind) {
  const all = new Kind(steps.length);
  let sum = 0;
  for (let i = 0; i < steps.length; i++) all[i] = sum += steps[i];
  return all;
}

// What a band is: freed before the end, held at the end, or part of a pile.
const FREED = 0, HELD = 1, PILE = 2;
const kinds = ['freed', 'held', 'pile'];

class Recording {
  constructor(raw) {
    Object.assign(this, { title: raw.title, device: raw.device, total: raw.total, events: raw.events, left: raw.left });
    this.count = raw.actions.length; // of moments
    this.last = this.count - 1;
    this.actions = raw.actions;
    this.subjects = Int32Array.from(raw.subjects);
    this.eventsAt = raw.eventSteps ? sums(raw.eventSteps, Float64Array) : null;
    this.others = raw.otherSteps ? sums(raw.otherSteps, Float64Array) : null;
    this.allocated = sums(raw.curves.allocatedSteps, Float64Array);
    this.active = sums(raw.curves.activeSteps, Float64Array);
    this.reserved = sums(raw.curves.reservedSteps, Float64Array);
    this.peak = sums(raw.curves.peakSteps, Float64Array);
    this.texts = raw.texts;
    this.stacks = raw.stacks;
    this.spaces = raw.spaces;
    this.places = {};
    this.statements = raw.statements;
    this.piles = raw.piles;
    this.readBands(raw.bands);
    this.readPieces(raw.pieces);
    this.someWait = this.byAddress.some((b) => this.waits(b) > 0);
    this.mostReserved = most(this.reserved);
    this.mostActive = most(this.active);
    this.top = Math.max(1, this.mostReserved, this.mostActive);
    this.peakAt = this.allocated.indexOf(this.peak[this.last]);
  }

  readBands(c) {
    this.from = sums(c.fromSteps, Int32Array);
    this.asked = Int32Array.from(c.asked);
    this.to = Int32Array.from(c.to);
    this.size = Float64Array.from(c.size);
    this.block = Float64Array.from(c.block);
    this.space = c.space;
    this.offset = c.offset;
    this.name = c.name;
    this.stack = c.stack;
    this.pile = c.pile;
    this.holders = {};
    for (let i = 0; i < c.held.length; i += 3) {
      (this.holders[c.held[i]] ||= []).push({ from: c.held[i + 1], name: this.texts[c.held[i + 2]] });
    }
    this.bands = this.from.length;
    this.kind = new Uint8Array(this.bands);
    for (let b = 0; b < this.bands; b++) {
      this.kind[b] = this.pile[b] >= 0 ? PILE : this.asked[b] > this.last ? HELD : FREED;
    }
    this.byAddress = Array.from({ length: this.bands }, (_, b) => b)
      .sort((x, y) => this.space[x] - this.space[y] || this.offset[x] - this.offset[y]);
  }

  readPieces(c) {
    this.pieces = c.from.map((from, i) => ({
      from, to: c.to[i], size: c.size[i], space: c.space[i], offset: c.offset[i],
      stream: this.texts[c.stream[i]], expandable: c.expandable[i] === 1,
    }));
  }

  // eventNumber is how many events have happened at a moment.
  eventNumber(moment) { return this.eventsAt ? this.eventsAt[moment] : moment; }

  isActive(b, moment) { return this.from[b] <= moment && moment < this.to[b]; }

  // waits is how many events a band waits for a stream after it was let go of. The
  // end of most is the next event: those do not wait.
  waits(b) {
    const number = (moment) => this.eventNumber(Math.min(moment, this.last));
    return number(this.to[b]) - number(this.asked[b]) - 1;
  }

  isWaiting(b, moment) { return moment >= this.asked[b] && this.waits(b) > 0; }

  // activeAt lists the bands that are there, the oldest first: as they lie on
  // each other.
  activeAt(moment) {
    const bands = [];
    for (let b = 0; b < this.bands && this.from[b] <= moment; b++) {
      if (moment < this.to[b]) bands.push(b);
    }
    return bands;
  }

  // largest lists the n bands that hold most at a moment.
  largest(moment, n) {
    return this.activeAt(moment).sort((x, y) => this.block[y] - this.block[x] || x - y).slice(0, n);
  }

  // segmentsAt lists what is reserved at a moment, by address, with its blocks.
  // Pages of an expandable segment that lie side by side are one.
  segmentsAt(moment) {
    const segments = [];
    let last = null;
    for (const p of this.pieces) {
      if (p.from > moment || moment >= p.to) continue;
      const joins = last && last.expandable && p.expandable && last.space === p.space && last.offset + last.size === p.offset;
      if (joins) {
        last.size += p.size;
        continue;
      }
      last = { space: p.space, offset: p.offset, size: p.size, stream: p.stream, expandable: p.expandable, blocks: [] };
      segments.push(last);
    }
    let at = 0;
    for (const b of this.byAddress) {
      if (!this.isActive(b, moment)) continue;
      while (at < segments.length && isBehind(this, b, segments[at])) at++;
      if (at < segments.length && isInside(this, b, segments[at])) segments[at].blocks.push(b);
    }
    return segments;
  }

  // address spells where something lies.
  address(space, offset) { return '0x' + (BigInt('0x' + this.spaces[space]) + BigInt(offset)).toString(16); }

  // statementAt is the number of the statement that runs in the event before a
  // moment, which is the number of statements behind the last.
  statementAt(moment) {
    let low = 0, high = this.statements.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.statements[middle].end >= moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // place is the innermost frame that people know, or null. PyTorch may record
  // those of C++ below it.
  place(b) {
    const stack = this.stack[b];
    if (!(stack in this.places)) {
      const frames = this.frames(stack);
      this.places[stack] = frames.find((f) => /\.(py|go)$/.test(f.file)) || frames[0] || null;
    }
    return this.places[stack];
  }

  frames(stack) {
    return this.stacks[stack].map(([file, line, name]) => ({ file: this.texts[file], line, name: this.texts[name] }));
  }

  // heldBy is who holds a band at a moment: its name, or who came later.
  heldBy(b, moment) {
    const later = (this.holders[b] || []).filter((h) => h.from <= moment);
    return later.length ? later[later.length - 1].name : this.nameOf(b);
  }

  // nameOf is what a band is called: the tensor, or else the line that asked
  // for it.
  nameOf(b) {
    const name = this.texts[this.name[b]];
    if (name) return name;
    const place = this.place(b);
    if (place) return fileName(place.file) + ':' + place.line;
    return (this.from[b] === 0 ? 'older allocation ' : 'allocation ') + (b + 1);
  }
}

function most(curve) {
  let max = 0;
  for (const bytes of curve) max = Math.max(max, bytes);
  return max;
}

function isBehind(r, b, s) {
  return r.space[b] > s.space || (r.space[b] === s.space && r.offset[b] >= s.offset + s.size);
}

function isInside(r, b, s) { return r.space[b] === s.space && r.offset[b] >= s.offset; }

function readData() {
  const raw = JSON.parse(byId('data').textContent);
  return raw.recordings.map((r) => new Recording(r));
}
