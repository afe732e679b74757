// Shows the description beside it. What it says is put into the page as text, never as markup.

const find = (id) => document.getElementById(id);
const methods = ['get', 'post', 'put', 'patch', 'delete'];
let api;
let token = '';

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

const resolved = (part) =>
  part?.$ref
    ? part.$ref
        .split('/')
        .slice(1)
        .reduce((at, key) => at?.[key.replaceAll('~1', '/')], api)
    : part;

const operations = () =>
  Object.entries(api.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })),
  );

const hashOf = ({ method, path }) => `#${method}${path}`;
const badge = (method) => element('span', { class: `method ${method}` }, method.toUpperCase());

function showIndex() {
  const wanted = find('search').value.toLowerCase();
  const groups = new Map();
  for (const each of operations()) {
    if (!`${each.method} ${each.path} ${each.summary}`.toLowerCase().includes(wanted)) continue;
    const [tag = ''] = each.tags ?? [];
    groups.set(tag, [...(groups.get(tag) ?? []), each]);
  }
  const current = decodeURI(location.hash);
  find('index').replaceChildren(
    ...[...groups].map(([tag, list]) =>
      element(
        'li',
        {},
        element('h2', {}, tag),
        ...list.map((each) =>
          element(
            'a',
            { href: location.pathname + hashOf(each), ...(current === hashOf(each) && { 'aria-current': 'page' }) },
            badge(each.method),
            each.path,
          ),
        ),
      ),
    ),
  );
}

/** A text in which backticks stand around code. */
const told = (text = '') => text.split('`').map((part, at) => (at % 2 === 1 ? element('code', {}, part) : part));

/** A schema in a line. */
function brief(given) {
  if (!given) return '';
  if (given.$ref) return given.$ref.split('/').pop();
  if (given.enum) return given.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (given.const !== undefined) return JSON.stringify(given.const);
  if (given.anyOf) return given.anyOf.map(brief).join(' | ');
  if (given.allOf) return given.allOf.map(brief).join(' & ');
  if (given.type === 'array') return `${brief(given.items)}[]`;
  return [given.type ?? 'anything'].flat().join(' | ') + (given.format ? ` (${given.format})` : '');
}

/** A schema in full; what it refers to opens when it is clicked. */
function shape(given) {
  const schema = resolved(given);
  const inner = [...(schema?.anyOf ?? []), ...(schema?.allOf ?? []), ...(schema?.items ? [schema.items] : [])];
  if (!schema?.properties)
    return element('div', {}, element('code', {}, brief(given)), ...inner.filter(isDeep).map(opening));
  return element(
    'table',
    {},
    ...Object.entries(schema.properties).map(([name, property]) =>
      element(
        'tr',
        {},
        element('td', {}, element('code', {}, name), schema.required?.includes(name) ? ' *' : ''),
        element('td', {}, isDeep(property) ? opening(property) : element('code', {}, brief(property))),
        element('td', { class: 'hint' }, ...told(property.description)),
      ),
    ),
  );
}

function isDeep(schema) {
  if (!schema) return false;
  return Boolean(
    schema.$ref || schema.properties || isDeep(schema.items) || schema.anyOf?.some(isDeep) || schema.allOf,
  );
}

function opening(schema) {
  const details = element('details', {}, element('summary', {}, element('code', {}, brief(schema))));
  details.addEventListener(
    'toggle',
    () => details.open && details.children.length === 1 && details.append(shape(schema)),
    {
      once: true,
    },
  );
  return details;
}

const section = (title, ...children) => [element('h3', {}, title), ...children];

function parametersOf({ parameters = [] }) {
  if (parameters.length === 0) return [];
  const rows = parameters
    .map(resolved)
    .map(({ name, in: where, schema, description = '' }) =>
      element(
        'tr',
        {},
        element('td', {}, element('code', {}, name)),
        element('td', { class: 'hint' }, where),
        element('td', {}, element('code', {}, brief(schema))),
        element('td', { class: 'hint' }, ...told(description)),
      ),
    );
  return section('Parameters', element('table', {}, ...rows));
}

const schemaIn = (part) => resolved(part)?.content?.['application/json']?.schema;

function answersOf({ responses }) {
  return section(
    'Answers',
    ...Object.entries(responses).map(([status, given]) => {
      const { description } = resolved(given);
      const schema = schemaIn(given);
      const line = element('p', {}, element('code', {}, status), ' ', ...told(description));
      if (!schema) return line;
      return element(
        'details',
        {},
        element('summary', {}, element('code', {}, status), ' ', ...told(description)),
        shape(schema),
      );
    }),
  );
}

/** Asks the service itself; only what reads can be tried without a body. */
function trial({ method, path }) {
  const address = element('input', { value: path, 'aria-label': 'Address', size: '60' });
  const body =
    method === 'get' || method === 'delete' ? undefined : element('textarea', { rows: '5' }, '{ "data": {} }');
  const output = element('pre', { hidden: '' });
  const form = element('form', {}, badge(method), address, ' ', element('button', {}, 'Send'), body, output);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    output.hidden = false;
    try {
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      };
      const response = await fetch(address.value, { method: method.toUpperCase(), headers, body: body?.value });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      output.textContent = `${response.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
    } catch (error) {
      output.textContent = String(error);
    }
  });
  return section('Try it', form);
}

function showOperation() {
  const found = operations().find((each) => hashOf(each) === decodeURI(location.hash)) ?? operations()[0];
  if (!found) return find('content').replaceChildren(element('p', { class: 'hint' }, 'Nothing is described.'));
  const body = schemaIn(found.requestBody);
  find('content').replaceChildren(
    element('h2', {}, badge(found.method), ' ', element('code', {}, found.path)),
    element('p', {}, found.summary ?? ''),
    element('p', { class: 'hint' }, ...told(found.description ?? 'Open to everyone.')),
    ...parametersOf(found),
    ...(body ? section('Body', shape(body)) : []),
    ...answersOf(found),
    ...trial(found),
  );
  showIndex();
}

async function load() {
  const response = await fetch('../openapi.json', { headers: token ? { authorization: `Bearer ${token}` } : {} });
  if (!response.ok) {
    const text =
      response.status === 401 || response.status === 403
        ? 'The description is private. Give a token that has the permission plugin::openapi.description.find.'
        : `The description could not be read: ${response.status}.`;
    find('content').replaceChildren(element('p', { class: 'hint' }, text));
    return;
  }
  api = await response.json();
  document.title = api.info.title;
  find('title').textContent = `${api.info.title} ${api.info.version}`;
  find('about').textContent = api.info.description ?? '';
  showOperation();
}

find('access').addEventListener('submit', (event) => {
  event.preventDefault();
  token = find('token').value.trim();
  load();
});
find('search').addEventListener('input', () => api && showIndex());
addEventListener('hashchange', () => api && showOperation());
load();
