import 'reflect-metadata';
import { type DependencyContainer, instanceCachingFactory, container as root } from 'tsyringe';
import { createRegistry } from './registry';

/** Names a service and carries its type. */
export interface Token<T> {
  readonly name: string;
  /** Only for the compiler. */
  readonly type?: T;
}

export const token = <T>(name: string): Token<T> => ({ name });

export interface Services {
  /** Registers what makes the service; it is made once, when first asked for. */
  add<T>(service: Token<T>, make: (services: Services) => T): void;
  get<T>(service: Token<T>): T;
  has(service: Token<unknown>): boolean;
}

/** Services that outlive a request: one container per application, so that a process can hold many applications. */
export function createServices(whoIsAdding: () => string): Services & { seal(): void; names(): string[] } {
  const container: DependencyContainer = root.createChildContainer();
  const tokens = createRegistry<true>('service', whoIsAdding);
  /** Requests ask for the same few again and again, and the container prepares a whole resolution each time. */
  const made = new Map<string, unknown>();
  const services: Services = {
    add(service, make) {
      tokens.add(service.name, true);
      container.register(service.name, { useFactory: instanceCachingFactory(() => make(services)) });
    },
    get<T>(service: Token<T>): T {
      const known = made.get(service.name) as T | undefined;
      if (known !== undefined) return known;
      tokens.require(service.name, 'a plugin');
      const found = container.resolve<T>(service.name);
      made.set(service.name, found);
      return found;
    },
    has: (service) => tokens.has(service.name),
  };
  return { ...services, seal: tokens.seal, names: tokens.names };
}
