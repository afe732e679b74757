import { freeType, roleType } from './role-type';

test.each([
  ['Editor', 'editor'],
  ['Editor2', 'editor_2'],
  ['Editor 2', 'editor_2'],
  ['Über Chef', 'uber_chef'],
  ['编辑', '编辑'],
  ['My  Role-2', 'my_role_2'],
  ['HTMLEditor', 'htmleditor'],
  ['2nd line', '2nd_line'],
  ['éa éb_c.d', 'ea_eb_c_d'],
  ['?!', 'role'],
])('a role that is named %j has the type %j', (name, type) => {
  expect(roleType(name)).toBe(type);
});

test('a type that is taken is numbered', () => {
  expect(freeType('editor', new Set(['editor', 'editor_2']))).toBe('editor_3');
  expect(freeType('author', new Set(['editor']))).toBe('author');
});
