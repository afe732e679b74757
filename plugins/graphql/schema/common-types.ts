/** Types that every schema has. */
export const commonTypes = `
type Error {
  code: String!
  message: String
}

type Pagination {
  total: Int!
  page: Int!
  pageSize: Int!
  pageCount: Int!
}

type DeleteMutationResponse {
  documentId: ID!
}

input PaginationArg {
  page: Int
  pageSize: Int
  start: Int
  limit: Int
}
`;

const sameType = [
  'eq',
  'eqi',
  'ne',
  'nei',
  'startsWith',
  'endsWith',
  'contains',
  'notContains',
  'containsi',
  'notContainsi',
  'gt',
  'gte',
  'lt',
  'lte',
];

const filterInput = (scalar: string): string => `
input ${scalar}FilterInput {
  and: [${scalar}]
  or: [${scalar}]
  not: ${scalar}FilterInput
  ${sameType.map((operator) => `${operator}: ${scalar}`).join('\n  ')}
  null: Boolean
  notNull: Boolean
  in: [${scalar}]
  notIn: [${scalar}]
  between: [${scalar}]
}
`;

/** Conditions on values of each scalar. */
export const filterInputs = ['ID', 'Boolean', 'String', 'Int', 'Long', 'Float', 'Date', 'Time', 'DateTime', 'JSON']
  .map(filterInput)
  .join('');
