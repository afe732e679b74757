import type { Answer, Target, WireRequest } from '../targets/target';
import type { Ledger } from './ledger';
import { type Difference, match } from './match';
import type { Failure } from './result';
import type { Expectation, Json, Step } from './row';
import { bodyOfAnswer, Interrupted, NoAnswer, type Patience, send, wireRequest } from './send';
import { fill, fillText, pick, type Values } from './template';

export interface Stage {
  target: Target;
  ledger: Ledger;
  patience: Patience;
  /** Ends the play between two requests. */
  signal?: AbortSignal | undefined;
}

/** Plays steps until one fails; saved values are added to `values`. */
export async function playSteps(steps: Step[], values: Values, stage: Stage): Promise<Failure | undefined> {
  for (const [index, step] of steps.entries()) {
    if (stage.signal?.aborted) throw new Interrupted();
    const failure = await playStep(step, index + 1, values, stage);
    if (failure) return failure;
  }
  return undefined;
}

async function playStep(step: Step, number: number, values: Values, stage: Stage): Promise<Failure | undefined> {
  const request = wireRequest(step.request, values, stage.target);
  const expected = expectation(step.expect, values);
  const failed = (differences: Difference[], answer?: Answer): Failure => ({
    step: number,
    request: shortened(request),
    expected,
    ...(answer && { answer: { status: answer.status, type: typeOf(answer), body: bodyOfAnswer(answer) } }),
    differences,
  });
  let answer: Answer;
  try {
    // Nobody waits for the end of a refusal that is wanted.
    const patience = step.expect.status === 429 ? { ...stage.patience, patience: 0 } : stage.patience;
    answer = await send(stage.target, request, patience, stage.signal);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (!error.isUnsent) stage.ledger.lose(request);
    return failed([{ path: 'answer', expected: error.message, got: undefined }]);
  }
  stage.ledger.note(request, answer);
  const body = bodyOfAnswer(answer);
  const differences = [...compare(expected, answer, body), ...saveFrom(body, step.save ?? {}, values)];
  return differences.length > 0 ? failed(differences, answer) : undefined;
}

function expectation(expect: Expectation, values: Values): Expectation {
  return fill(expect as Json, values) as Expectation;
}

function compare(expected: Expectation, answer: Answer, body: Json): Difference[] {
  const { status, type, headers = {} } = expected;
  return [
    ...([status].flat().includes(answer.status) ? [] : [{ path: 'status', expected: status, got: answer.status }]),
    ...(type === undefined || type === typeOf(answer) ? [] : [{ path: 'type', expected: type, got: typeOf(answer) }]),
    ...Object.entries(headers).flatMap(([name, item]) => match(item, answer.headers[name], `headers.${name}`)),
    ...(expected.body === undefined ? [] : match(expected.body, body)),
  ];
}

function saveFrom(body: Json, save: Record<string, string>, values: Values): Difference[] {
  return Object.entries(save).flatMap(([name, path]) => {
    const place = fillText(path, values);
    const value = pick(body, place);
    if (value === undefined) return [{ path: `body.${place}`, expected: '$any', got: undefined }];
    values.set(name, value);
    return [];
  });
}

const typeOf = (answer: Answer): string => (answer.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';

/** A body made to exceed a size limit, or the bytes of a form, would drown the report. */
function shortened({ body, ...request }: WireRequest): Failure['request'] {
  if (body === undefined) return request;
  const text = body.toString('utf8');
  return {
    ...request,
    body: text.length > 10_000 ? `${text.slice(0, 200)}… (${text.length} characters)` : text,
  };
}
