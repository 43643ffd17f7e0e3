/** Used instead of `pdf-thread.ts` to test the time limit: `endless` never returns. */

const drawFunctions = {
  short: async (_input: { now: Date }): Promise<Buffer> => Buffer.from('short'),
  endless: async (_input: { now: Date }): Promise<Buffer> => {
    for (;;);
  },
};
export type EndlessDrawFunctions = typeof drawFunctions;

export default async ({ name }: { name: keyof EndlessDrawFunctions }): Promise<Uint8Array> =>
  new Uint8Array(await drawFunctions[name]({ now: new Date(0) }));
