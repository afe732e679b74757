/** Around every request, outermost first. */
export default [
  'heddle::logger',
  'heddle::security',
  'heddle::cors',
  'heddle::compression',
  'heddle::etag',
  { name: 'heddle::query', config: { arrayLimit: 100 } },
  { name: 'heddle::body', config: { jsonLimit: '1mb' } },
];
