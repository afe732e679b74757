import type { Kernel } from '../kernel/kernel';
import { refuseIfAny } from '../kernel/problems';
import { createRegistry } from '../kernel/registry';
import { buildRegistry } from './build-registry';
import type { ContentRegistry } from './content-type';
import type { Dimension } from './dimension';
import { CONTENT, createDocuments, DOCUMENTS, STORE } from './documents';
import type { KnownKind } from './kinds/kind';
import { shippedKinds } from './kinds/shipped';
import { nestedKinds } from './nested';
import { clashingNames } from './project/clashes';
import { readProject } from './project/read-project';
import { brokenReferences } from './project/references';

export interface Content {
  /** Registers the content services; called while services can be added. */
  provide(): void;
  /** Reads the application's types and makes the registry. */
  load(appDir: string): Promise<ContentRegistry>;
}

/** The content part of an application. */
export function createContent(kernel: Kernel, notice: (text: string) => void): Content {
  let registry: ContentRegistry | undefined;
  const known = (): ContentRegistry => {
    if (!registry) throw new Error('content types are there from content.schemaReady on');
    return registry;
  };

  return {
    provide() {
      kernel.services.add(CONTENT, known);
      kernel.services.add(DOCUMENTS, (services) =>
        createDocuments(kernel.hooks.document, known, () => services.get(STORE)),
      );
    },
    async load(appDir) {
      const hooks = kernel.hooks.content;
      const kinds = createRegistry<KnownKind>('attribute kind', kernel.working);
      const dimensions = createRegistry<Dimension>('dimension', kernel.working);
      for (const kind of [...shippedKinds, ...nestedKinds]) kinds.add(kind.name, kind);
      hooks.kinds.call(kinds);
      hooks.dimensions.call(dimensions);
      kinds.seal();
      dimensions.seal();

      const project = readProject(appDir);
      const collected = await hooks.types.promise(project.definitions);
      const definitions = collected.map((definition) => hooks.type.call(definition));
      const built = buildRegistry({
        definitions,
        kinds: new Map(kinds.entries()),
        dimensions: [...dimensions.entries()].map(([, dimension]) => dimension),
      });
      refuseIfAny([
        ...project.problems,
        ...clashingNames(definitions),
        ...brokenReferences(definitions),
        ...built.problems,
      ]);
      for (const text of [...project.notices, ...built.notices]) notice(text);
      registry = built.registry;
      hooks.schemaReady.call(registry);
      return registry;
    },
  };
}
