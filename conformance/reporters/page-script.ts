/** What the page does in the browser: narrows what is shown by words, by status, and keeps both in the address. */
export const script = `
const search = document.querySelector('input[type=search]');
const buttons = [...document.querySelectorAll('button[data-status]')];
const areas = [...document.querySelectorAll('.area')].map((area) => ({
  area, wasOpen: area.open,
  rows: [...area.querySelectorAll('.row')].map((row) => ({ row, status: row.dataset.status, text: row.textContent.toLowerCase() })),
}));
const nothing = document.querySelector('#nothing');
let status = '';
function show() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const narrowed = words.length > 0 || status !== '';
  let shown = 0;
  for (const { area, wasOpen, rows } of areas) {
    let inside = 0;
    for (const { row, status: own, text } of rows) {
      row.hidden = (status !== '' && own !== status) || !words.every((word) => text.includes(word));
      if (!row.hidden) inside += 1;
    }
    area.hidden = inside === 0;
    area.open = narrowed ? true : wasOpen;
    shown += inside;
  }
  nothing.hidden = shown > 0;
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.status === status));
}
search.addEventListener('input', show);
for (const button of buttons) button.addEventListener('click', () => { status = button.dataset.status; show(); });
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === 'Escape') { search.value = ''; status = ''; show(); }
});
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = named; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  if (named) named.scrollIntoView({ block: 'center' });
}
addEventListener('hashchange', openNamed);
openNamed();
`;
