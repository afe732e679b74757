import { z } from 'zod';
import type { HookBags } from '../types';
import { applyPlugin } from './apply';
import { type CheckedConfig, type Config, createConfigDeclarations, type RawConfig } from './config';
import type { AppInfo, Heddle } from './heddle';
import { type HookBag, type TapTime, type TapWatch, watchBag } from './hook-bag';
import { behind } from './known-names';
import { lifecycleHooks } from './lifecycle';
import type { Logger } from './logger';
import { inOrder } from './order';
import type { AnyPlugin } from './plugin';
import { type Problem, problem, refuseIfAny } from './problems';
import { createRunningAll } from './running-all';
import { isSchema, noSchema, schemaProblems } from './schema-problems';
import { createServices, type Services } from './services';

/** A plugin with the options its user gave. */
export interface ChosenPlugin {
  plugin: AnyPlugin;
  options?: unknown;
}

export interface KernelOptions {
  version: string;
  app: AppInfo;
  log: Logger;
  /** The hook bags of the modules that the application is made of, besides the kernel's own. */
  bags: Pick<HookBags, 'http' | 'content' | 'document'>;
  /** Measure the time per plugin and hook. */
  measure?: boolean;
}

export interface Kernel {
  readonly hooks: Readonly<HookBags>;
  readonly services: Services & { names(): string[] };
  /** The plugins in the order in which they were applied; empty until all of them are. */
  readonly order: readonly string[];
  readonly notices: readonly string[];
  readonly times: readonly TapTime[];
  /** What core itself uses of the kernel: it declares and taps like a plugin, as "core", before all of them. */
  readonly core: Heddle;
  /** The log of a plugin. */
  logOf(plugin: string): Logger;
  /** The plugin whose taps are running, for errors about registrations. */
  working(): string;
  /** Applies the plugins, then checks the configuration that they declared. */
  configure(plugins: readonly ChosenPlugin[], raw: RawConfig): Config;
  /** Lets plugins register services; afterwards, none can be added. */
  provide(): void;
  boot(): Promise<void>;
  ready(): Promise<void>;
  warm(): Promise<void>;
  close(): Promise<void>;
}

const noOptions = z.strictObject({});

export function createKernel({ version, app, log, bags, measure }: KernelOptions): Kernel {
  const times = measure ? new Map<string, TapTime>() : undefined;
  const positions = new Map<string, number>();
  const notices: string[] = [];
  let current = 'core';
  let isApplying = false;
  let applied = false;
  let config: Config | undefined;

  const working = (): string => current;
  // What one plugin can't load or close keeps no other from it; what was opened last is closed first.
  const warming = createRunningAll(false);
  const closing = createRunningAll(true);
  const ofLifecycle = { warm: warming.taps, close: closing.taps };
  const watch: TapWatch = {
    position: (plugin) => (plugin === 'core' ? -1 : positions.get(plugin)),
    enter(plugin) {
      const before = current;
      current = plugin;
      return () => {
        current = before;
      };
    },
    times,
  };
  const { declarations, check } = createConfigDeclarations(working);
  const services = createServices(working);
  const lookups = { applying: () => (isApplying ? current : undefined) };
  const hooks: Record<string, HookBag> = Object.create(behind('bag', '', () => Object.keys(hooks), lookups));
  const typedHooks = hooks as unknown as HookBags;

  function addBag(name: string, bag: HookBag): void {
    const missing = behind('hook', `${name}.`, () => Object.keys(bag), lookups);
    hooks[name] = Object.freeze(Object.assign(Object.create(missing), bag));
    watchBag(name, bag, watch, name === 'lifecycle' ? ofLifecycle : {});
  }

  addBag('lifecycle', lifecycleHooks());
  for (const [name, bag] of Object.entries(bags as Record<string, HookBag>)) addBag(name, bag);

  const logOf = (plugin: string): Logger => log.child({ plugin });

  function facadeOf(name: string): Heddle {
    return {
      version,
      app,
      hooks: typedHooks,
      declare: declarations,
      log: logOf(name),
      config() {
        if (!config) throw new Error('the configuration is there from lifecycle.provide on');
        return config;
      },
      service(token) {
        if (isApplying)
          refuseIfAny([
            problem(
              `plugin "${name}"`,
              `asks for service "${token.name}" in "apply", when there are no services yet.`,
              'They are there from lifecycle.provide on: ask in a tap of lifecycle.boot, or where it is needed.',
            ),
          ]);
        return services.get(token);
      },
      notice: (text) => void notices.push(text),
      ownHooks(bagName, bag) {
        if (Object.hasOwn(hooks, bagName)) {
          refuseIfAny([
            problem(
              `plugin "${name}"`,
              `adds hooks under the name "${bagName}", which is taken.`,
              'Name the bag after the plugin.',
            ),
          ]);
        }
        addBag(bagName, bag as unknown as HookBag);
      },
    };
  }

  function checkShape({ name, options }: AnyPlugin): Problem[] {
    return options === undefined || isSchema(options) ? [] : [noSchema(`plugin "${name}"`)];
  }

  function checkVersion({ name, heddle }: AnyPlugin): Problem[] {
    if (heddle === undefined) return [];
    // Few plugins say what they support.
    const satisfies = require('semver/functions/satisfies') as typeof import('semver/functions/satisfies');
    if (satisfies(version, heddle, { includePrerelease: true })) return [];
    return [
      problem(
        `plugin "${name}"`,
        `supports Heddle ${heddle}, this is ${version}.`,
        'Install a version of the plugin that fits.',
      ),
    ];
  }

  function applyAll(chosen: readonly ChosenPlugin[]): void {
    const plugins = inOrder(chosen.map(({ plugin }) => plugin));
    refuseIfAny(plugins.flatMap(checkShape));
    const optionsOf = new Map(chosen.map(({ plugin, options }) => [plugin.name, options ?? {}]));
    const checked = plugins.map((plugin) => ({
      plugin,
      ...schemaProblems(
        plugin.options ?? noOptions,
        optionsOf.get(plugin.name),
        'config/plugins',
        `${plugin.name}.config`,
      ),
    }));
    refuseIfAny([...plugins.flatMap(checkVersion), ...checked.flatMap(({ problems }) => problems)]);
    for (const [index, { name }] of plugins.entries()) positions.set(name, index);
    isApplying = true;
    try {
      for (const { plugin, value } of checked) {
        current = plugin.name;
        applyPlugin(plugin, facadeOf(plugin.name), value);
      }
    } finally {
      isApplying = false;
      current = 'core';
    }
    applied = true;
  }

  function finishConfig(raw: RawConfig): Config {
    const checked: CheckedConfig = check(raw);
    notices.push(...checked.notices);
    // Kept even when refused, so that the rest of the project can be looked at before everything is told at once.
    config = checked.config;
    refuseIfAny(checked.problems);
    config = Object.freeze(typedHooks.lifecycle.configure.call(checked.config));
    return config;
  }

  return {
    hooks: typedHooks,
    services,
    get order() {
      return applied ? [...positions.keys()] : [];
    },
    notices,
    core: facadeOf('core'),
    logOf,
    get times() {
      return [...(times?.values() ?? [])];
    },
    working,
    configure(chosen, raw) {
      if (config) throw new Error('the application was configured already');
      applyAll(chosen);
      return finishConfig(raw);
    },
    provide() {
      typedHooks.lifecycle.provide.call(services);
      current = 'core';
      services.seal();
    },
    boot: () => typedHooks.lifecycle.boot.promise(),
    ready: () => typedHooks.lifecycle.ready.promise(),
    warm: () => warming.run(typedHooks.lifecycle.warm),
    close: () => closing.run(typedHooks.lifecycle.close),
  };
}
