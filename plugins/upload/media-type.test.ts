import { mediaTypeOf } from './media-type';

const typeOf = (text: string, name = 'x.txt'): string => mediaTypeOf(name, 'text/plain', Buffer.from(text));

test.each([
  ['<!DOCTYPE html><p>', 'text/html'],
  [' <!-- a --> <!-- b -->\n<script>1</script>', 'text/html'],
  ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', 'text/html'],
  ['\ufeff<?xml version="1.0"?>\n<!-- a --><iframe src="x">', 'text/html'],
  ['<svg/>', 'image/svg+xml'],
  ['<?xml version="1.0"?> <!-- a --> <!DOCTYPE svg PUBLIC "x"> <!-- b --><svg width="1">', 'image/svg+xml'],
  ['<!-- <svg> --> text', 'text/plain'],
  ['<!-- without an end <svg>', 'text/plain'],
  ['<svgx>', 'text/plain'],
  ['text <html>', 'text/plain'],
])('%j is %s', (text, mime) => expect(typeOf(text)).toBe(mime));

test('what XHTML is called, it stays', () => {
  expect(typeOf('<?xml version="1.0"?><html>', 'x.xhtml')).toBe('application/xhtml+xml');
});

test.each([
  ['comments', '<!---->'],
  ['comments and types of documents', '<!----><!doctype svg>'],
  ['comments that begin again', '<!-- <!-- -->'],
  ['comments without an end', '<!--'],
])('%s in any number are gone through once', (_what, piece) => {
  const start = performance.now();
  expect(typeOf(`${piece.repeat(500)}x`)).toBe('text/plain');
  expect(performance.now() - start).toBeLessThan(50);
});
