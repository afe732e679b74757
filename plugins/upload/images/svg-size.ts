const root = /<svg\b[^>]*>/i;
const lengthOf = (tag: string, name: string): number | undefined => {
  const [, given] = new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`, 'i').exec(tag) ?? [];
  const length = Math.round(Number(given));
  return length > 0 ? length : undefined;
};

/** The size that an SVG says of itself. Its drawing is never looked at: it may hold anything. */
export function svgSize(head: Buffer): { width: number; height: number } | undefined {
  const [tag] = root.exec(head.toString('utf8')) ?? [];
  if (tag === undefined) return undefined;
  const [, box] = /\sviewBox\s*=\s*["']([^"']+)["']/i.exec(tag) ?? [];
  const [, , boxWidth, boxHeight] = (box ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const width = lengthOf(tag, 'width') ?? boxWidth;
  const height = lengthOf(tag, 'height') ?? boxHeight;
  return width && height ? { width: Math.round(width), height: Math.round(height) } : undefined;
}
