// How numbers, places and bands are spelled.

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

// short spells bytes for a label: 3.8 MiB.
function short(bytes) {
  let unit = 0;
  while (Math.abs(bytes) >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit++;
  }
  const digits = unit > 0 && Math.abs(bytes) < 100 ? 1 : 0;
  return bytes.toFixed(digits).replace(/\.0$/, '') + ' ' + units[unit];
}

// exact spells bytes to the byte: 4,000,256.
const thousands = new Intl.NumberFormat('en-US');
function exact(n) { return thousands.format(n); }

function plural(n, word) { return exact(n) + ' ' + word + (n === 1 ? '' : 's'); }

// fileName cuts the folders off.
function fileName(path) { return path.slice(path.replace(/\\/g, '/').lastIndexOf('/') + 1); }

// sourceLink returns an element for a line of a file. A file of this project
// leads to its text; of others, only the name is known.
function sourceLink(file, line, text = file + ':' + line) {
  if (!isOfProject(file)) {
    const span = element('span', text);
    span.className = 'mono';
    span.title = file + ':' + line;
    return span;
  }
  const a = element('a', text);
  a.href = 'https://github.com/torchmem/workbook/blob/main/' + file.split('/').map(encodeURIComponent).join('/') + '#L' + Number(line);
  a.rel = 'noreferrer';
  a.className = 'mono';
  a.title = file + ':' + line;
  return a;
}

function isOfProject(file) {
  return /^(lessons|exercises|solutions|runtime|tools)\/[^\\]*\.go$/.test(file) && !file.split('/').includes('..');
}

// element makes an element that holds a text. The text is never read as markup.
function element(tag, text) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  return e;
}

function byId(id) { return document.getElementById(id); }

// setText changes a text only where it differs, so that nothing is read out
// twice.
function setText(e, text) {
  if (e.textContent !== text) e.textContent = text;
}
