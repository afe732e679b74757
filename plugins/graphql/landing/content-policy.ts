/** Directive → sources that a page needs besides those that are allowed anyway. */
export type NeededSources = Readonly<Record<string, readonly string[]>>;

/** A content security policy with more sources allowed; what a directive leaves to `default-src` stays allowed. */
export function extendedPolicy(policy: string, needed: NeededSources): string {
  const directives = new Map<string, readonly string[]>();
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name) directives.set(name, sources);
  }
  for (const [name, more] of Object.entries(needed)) {
    const allowed = (directives.get(name) ?? directives.get('default-src') ?? []).filter((each) => each !== "'none'");
    directives.set(name, [...new Set([...allowed, ...more])]);
  }
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join(';');
}
