import fc from 'fast-check';

import { fixed, joinName, longestName, snakeCase } from './names';

test.each([
  ['metaTitle', 'meta_title'],
  ['provider_metadata', 'provider_metadata'],
  ['address1', 'address_1'],
  ['v2Items', 'v_2_items'],
  ['item1st3dALPHA', 'item_1_st_3_d_alpha'],
  ['item1stBeta', 'item_1st_beta'],
  ['item1st_3d', 'item_1st_3_d'],
  ['URLheroPath', 'ur_lhero_path'],
  ['line4_IDANNOUNCEMENT', 'line_4_idannouncement'],
  ['IDv2internationalisation', 'i_dv_2_internationalisation'],
  ['superlongword_yzID', 'superlongword_yz_id'],
  ['hero-alpha-superlongword', 'hero_alpha_superlongword'],
  ['x', 'x'],
])('%s in snake case is %s', (name, snake) => {
  expect(snakeCase(name)).toBe(snake);
});

// Seen in databases that the peer made.
test.each([
  [['articles', 'author', fixed('lnk')], 'articles_author_lnk'],
  [
    ['a3d_gammaHEROinternationalisationDocumentationalphaUrl'],
    'a3d_gammaHEROinternationalisationDocumentationalphaUrl',
  ],
  [
    ['a3d_gammaHEROinternationalisationDocumentationalphaUrl', fixed('cmps')],
    'a3d_gammaHEROinternationalisationDocumentatio652da_cmps',
  ],
  [
    ['item1st_announcement_3dDOCUMENTATIONinternationalisationyz'],
    'item1st_announcement_3dDOCUMENTATIONinternationali8b111',
  ],
  [
    ['superlongwordannouncement_id_superlongword', 'hero_alphainternationalisation', fixed('lnk')],
    'superlongwordannouncaad78_hero_alphainternatio4781c_lnk',
  ],
  [
    ['superlongwordannouncement_id_superlongword', 'gamma_alpha_beta_beta', fixed('lnk')],
    'superlongwordannouncemenaad78_gamma_alpha_beta_beta_lnk',
  ],
  [
    ['superlongword_yz_id', 'internationalisation_announcementv_2_announcement', fixed('lnk')],
    'superlongword_yz_id_internationalisation_annouc9a5c_lnk',
  ],
])('%j is called %s', (parts, name) => {
  expect(joinName(...parts)).toBe(name);
});

test('a name that cannot be shortened is refused by name', () => {
  expect(() => joinName('table', fixed('f'.repeat(60)))).toThrow('The name "table" cannot be shortened');
});

const word = fc.stringMatching(/^[a-z][a-z_]{0,79}$/);

test('no name is longer than 55 characters, and a longer one is exactly 55', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), (parts) => {
      const whole = [...parts, 'lnk'].join('_');
      const name = joinName(...parts, fixed('lnk'));
      if (whole.length <= longestName) expect(name).toBe(whole);
      else expect(name).toHaveLength(longestName);
    }),
  );
});

test('a part that needs no more than its share is whole, and a cut part starts as the whole does', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      const share = Math.floor((longestName - 'lnk'.length - 2) / 2);
      const name = joinName(one, other, fixed('lnk'));
      if (one.length <= share) expect(name.startsWith(`${one}_`)).toBe(true);
      if (other.length <= share) expect(name.endsWith(`_${other}_lnk`)).toBe(true);
      expect(name.slice(0, 5)).toBe(`${one}_${other}_lnk`.slice(0, 5));
    }),
  );
});

test('names that differ only where they are cut stay different', () => {
  const stem = 'a'.repeat(60);
  expect(joinName(`${stem}x`)).not.toBe(joinName(`${stem}y`));
});
