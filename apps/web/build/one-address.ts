import type { Plugin } from 'vite';

/**
 * For development. The book answers to localhost alone, since passkeys want a name; Vite also prints the number, at which every
 * login would be refused as one from elsewhere. Who opens that is led to the name.
 */
export const oneAddress = (): Plugin => ({
  name: 'one-address',
  configureServer: ({ middlewares }) => {
    middlewares.use(({ headers, url }, reply, next) => {
      const [host, port] = (headers.host ?? '').split(':');
      if (host !== '127.0.0.1' || !headers.accept?.includes('text/html')) return next();
      reply.writeHead(302, { location: `http://localhost:${port}${url}` }).end();
    });
  },
});
