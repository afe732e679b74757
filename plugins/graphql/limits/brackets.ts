import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { mostLevels, tooManyLevels } from './levels';

/** Lists and objects inside each other in a value that a document writes out; deeper ones may come in variables. */
const mostInValues = 100;

const steps: ReadonlyMap<TokenKind, number> = new Map([
  [TokenKind.BRACE_L, 1],
  [TokenKind.BRACKET_L, 1],
  [TokenKind.BRACE_R, -1],
  [TokenKind.BRACKET_R, -1],
]);

function hasManyBrackets(text: string): boolean {
  let brackets = 0;
  for (const _ of text.matchAll(/[{[]/g)) {
    brackets += 1;
    if (brackets > mostInValues) return true;
  }
  return false;
}

/** Brackets within parentheses are those of values. */
function depthError(lexer: Lexer, mostTokens: number): GraphQLError | undefined {
  let [selections, values, parentheses] = [0, 0, 0];
  for (let tokens = 0; tokens < mostTokens; tokens++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return undefined;
    if (kind === TokenKind.PAREN_L) parentheses += 1;
    if (kind === TokenKind.PAREN_R) parentheses -= 1;
    const step = steps.get(kind) ?? 0;
    if (parentheses > 0) values += step;
    else selections += step;
    if (selections > mostLevels) return tooManyLevels();
    if (values > mostInValues)
      return new GraphQLError(`A value in the document has too many levels. The maximum is ${mostInValues}.`);
  }
  return undefined;
}

/** Why a document may not even be parsed, if there is a reason: that is done recursively. What is no document, others tell. */
export function bracketError(text: string, mostTokens: number): GraphQLError | undefined {
  if (!hasManyBrackets(text)) return undefined;
  try {
    return depthError(new Lexer(new Source(text)), mostTokens);
  } catch {
    return undefined;
  }
}
