/**
 * Whether Heddle made a database or found the tables of a Strapi 5 project in it. New tables follow suit: where the peer
 * was first they are exactly its own, elsewhere they compare text by bytes and hold one row per document.
 */
export type MadeBy = 'heddle' | 'adopted';
