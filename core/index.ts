/** All that a plugin or a host may import. */

import './schemas-run-once';

/** What checks options of plugins, in the version that Heddle uses. */
export { z } from 'zod';
export { type Application, type ApplicationOptions, createApplication } from './application/application';
export type { PluginCatalogue } from './application/catalogue';
export type { Description, ListedRoute } from './application/describe';
export { createEnv, type Env } from './application/env';
export { hasSecret, secretOf } from './application/secret';
export { chunksOf } from './chunks-of';
export { Aftermath } from './content/aftermath';
export { asJson, joinedBytes, onlyDocument, valuesIn } from './content/answer-bytes';
export { type Attribute, isTrue } from './content/attribute';
export { isAlwaysRequired } from './content/conditions';
export type { ContentRegistry, ContentType } from './content/content-type';
export type { AttributeDefinition, ModelKind, TypeDefinition } from './content/definition';
export { type Choice, type ChoiceContext, type Dimension, parameterOf } from './content/dimension';
export { newDocumentId } from './content/document-id';
export { CONTENT, DOCUMENTS, type Documents, STORE, type TypeDocuments } from './content/documents';
export type {
  ContentHooks,
  DocumentAddition,
  DocumentHooks,
  Execution,
  ShownDocument,
  Validation,
  Written,
  WrittenLink,
} from './content/hooks';
export {
  type AttributeKind,
  type Check,
  type Checked,
  type DormantKind,
  isDormant,
  type KnownKind,
  type ScalarStorage,
  type Strictness,
  scalarStorages,
  UnfitValue,
} from './content/kinds/kind';
export { bounded, cut, wrongType } from './content/kinds/messages';
export { Sealed } from './content/kinds/sealed';
export { isAddress } from './content/kinds/text';
export { Lru } from './content/lru';
export { createMemoryStore } from './content/memory/memory-store';
export { isMixed, isPart, mayHold, type Nested, type NestedKind, type NestedStorage } from './content/nested';
export { objectsIn, typeKey } from './content/objects-in';
export type { DocumentQuery, Operation, Window, WriteOperation } from './content/operation';
export {
  type Entry,
  entriesOf,
  type NestedSelection,
  type Populated,
  type ReadPlan,
  type Selection,
} from './content/plan';
export { attributeOf, type Chosen, choicesOf } from './content/query/choices';
export type { AskedGroups, AskedMeasure, GroupKey, Groups, Measure, Measured } from './content/query/groups';
export type {
  Comparison,
  Predicate,
  RelativePredicate,
  SomePredicate,
  TextMatch,
  TextPredicate,
} from './content/query/predicate';
export type { Step } from './content/query/reader';
export {
  type Given,
  RefusedEntry,
  type Shown,
  type ShownEntry,
  type ShownNested,
  type Spelling,
} from './content/query/shown';
export type { OrderTerm } from './content/query/sort';
export type { ReadAnswer } from './content/reads';
export { rowId, rowIds } from './content/row-id';
export { newlyServed } from './content/served-types';
export type {
  Bound,
  Changes,
  DocumentStore,
  HandedOver,
  LockKey,
  Mark,
  NestedTyings,
  PreparedRead,
  Remembered,
  Retied,
  Row,
  RowMatch,
  SoughtTies,
  StoreAnswer,
  StoreTransaction,
  Tie,
  Tying,
} from './content/store';
export type { Copying, TargetsOf } from './content/structure/copied-links';
export { type CopiedRow, copyRows } from './content/structure/copy-rows';
export { documentKey } from './content/structure/document-locks';
export { grouped } from './content/structure/grouped';
export { carryOutRemoval, removalIn, removeRows } from './content/structure/remove-rows';
export { rivalsOf } from './content/structure/resolve-links';
export { rowWith } from './content/structure/row-input';
export { type RowTree, readTree, readTrees } from './content/structure/row-tree';
export { type RowInTree, standingTies } from './content/structure/standing-ties';
export type { Twin, TwinRow, TwinRows } from './content/structure/twin-rows';
export {
  type ErrorName,
  ExcessiveRequest,
  forbidden,
  HeddleError,
  type Issue,
  issuesError,
  notFound,
  statusOf,
  validationError,
} from './errors';
export { atEndOfTurn, oncePerTurn } from './event-turns';
export { flatMapped, flattened } from './flat-mapped';
export { type AccessRequest, type Principal, publicPrincipal } from './http/access';
export type { ErrorAnswer } from './http/error-answer';
export type { HttpHooks } from './http/hooks';
export type { MiddlewareMaker, MiddlewareUse } from './http/middleware';
export type { Policy, PolicyUse } from './http/policy';
export { actionsFor, bodyOf, type Method, type Route, type Routes } from './http/route';
export type { RegisteredRoute } from './http/router';
export type { Address } from './http/server';
export { type BodyLimits, bodyLimits } from './http/settings/body-limits';
export { type QueryLimits, queryLimits } from './http/settings/query-limits';
export type { ServerConfig } from './http/settings/server-config';
export { refuseUpgrade } from './http/upgrade';
export type { Config, ConfigDeclarations, RawConfig } from './kernel/config';
export type { AppInfo, Heddle } from './kernel/heddle';
export { isTapped, TapError, type TapTime } from './kernel/hook-bag';
export type { LifecycleHooks } from './kernel/lifecycle';
export type { Logger } from './kernel/logger';
export { type AnyPlugin, definePlugin, type Plugin } from './kernel/plugin';
export { type Problem, ProjectError, placeOf, problem, problemLines, refuseIfAny } from './kernel/problems';
export type { Registry } from './kernel/registry';
export { schemaProblems } from './kernel/schema-problems';
export { type Services, type Token, token } from './kernel/services';
export { didYouMean, nearest } from './kernel/suggest';
export { lasting, madeOf } from './lasting-bytes';
export { levelsIn, mostBodyLevels } from './levels';
export { makeFolder } from './make-folder';
export { asWorker, isOneOfWorkers } from './one-of-workers';
export { createOutage } from './outage';
export { processors } from './processors';
export { textOf } from './text-of';
export { currentTiming, runTimed, type Timing } from './timing';
export { together } from './together';
export { createTurns, type TurnLimit } from './turns';
// By star, since the compiler lets nobody add to an interface that is exported again by its name.
export * from './types';
