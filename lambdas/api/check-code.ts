import { checkCode } from '../../core/api/links.ts';
import { reservedCode } from '../../core/links/link.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  checkCode,
  { links: linkStore },
  async ({ params: { code }, caller }, { links }) => {
    const taken = code === reservedCode || (await links.isTaken(caller.project, code));
    return {
      code,
      available: !taken,
      message: taken ? 'The code is in use in the project, or was' : 'The code is available',
    };
  },
);
