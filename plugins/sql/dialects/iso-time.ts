/** A time of day as Strapi writes it, of a database's text, which may leave out a fraction or have more digits of it. */
export function clockTime(text: string): string {
  const [seconds, fraction = ''] = text.split('.');
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
}

/** The same for a moment, of which the database tells date and time with a blank between them. */
export const isoTime = (text: string): string => `${clockTime(text.replace(' ', 'T'))}Z`;
