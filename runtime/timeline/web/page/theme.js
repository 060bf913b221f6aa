// Light, dark, or what the system says. The canvases take their colours from the
// style sheet.

const themes = ['auto', 'light', 'dark'];
const systemDark = matchMedia('(prefers-color-scheme: dark)');
let themeChoice = 'auto';
let colours = {};

function readTheme() {
  try {
    const kept = localStorage.getItem('theme');
    if (themes.includes(kept)) themeChoice = kept;
  } catch { /* some browsers keep nothing for files */ }
}

function applyTheme() {
  const dark = themeChoice === 'dark' || (themeChoice === 'auto' && systemDark.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  const word = themeChoice[0].toUpperCase() + themeChoice.slice(1);
  setText(byId('theme'), word);
  byId('theme').setAttribute('aria-label', 'Colours: ' + word);
  readColours();
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const names = ['page', 'card', 'line', 'ink', 'quiet', 'accent', 'grid', 'cached', 'plain', 'hatch', 'others', 'waits',
    'allocated', 'reserved', 'peak', 'on-freed', 'on-held', 'on-pile'];
  for (const kind of kinds) for (const n of [1, 2, 3]) names.push(kind + '-' + n);
  colours = {};
  for (const name of names) colours[name] = style.getPropertyValue('--' + name).trim();
}

// pixel turns #rrggbb into a pixel of an image.
function pixel(hex) {
  const n = parseInt(hex.slice(1), 16);
  return (255 << 24 | (n & 255) << 16 | (n >> 8 & 255) << 8 | n >> 16) >>> 0;
}

function tint(kind, b) { return colours[kinds[kind] + '-' + (1 + b % 3)]; }

function startTheme(redraw) {
  readTheme();
  applyTheme();
  byId('theme').addEventListener('click', () => {
    themeChoice = themes[(themes.indexOf(themeChoice) + 1) % themes.length];
    try { localStorage.setItem('theme', themeChoice); } catch { /* then it lasts as long as the page */ }
    applyTheme();
    redraw();
  });
  systemDark.addEventListener('change', () => { applyTheme(); redraw(); });
}
