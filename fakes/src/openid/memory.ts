import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

/** What a provider remembers until it is stopped: logins, codes, grants. */
export function memory(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>();

  return (kind) => {
    const key = (id: string) => `${kind}:${id}`;
    const findBy = (fits: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([name, payload]) => name.startsWith(`${kind}:`) && fits(payload))?.[1];
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async (id) => kept.get(key(id)),
      findByUid: async (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: async (code) => findBy((payload) => payload.userCode === code),
      consume: async (id) => {
        const payload = kept.get(key(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void kept.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [name, payload] of kept) if (payload.grantId === grantId) kept.delete(name);
      },
    };
  };
}
