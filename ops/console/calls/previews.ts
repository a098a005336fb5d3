import * as z from 'zod';
import type { Fault } from '../../../core/base/failure.ts';
import { schemaFault } from '../../../core/fields/schema-faults.ts';
import { qrParameter } from '../../../core/hosts/short-address.ts';
import { typedPayload } from '../../../core/links/link-schema.ts';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { linkWarnings } from '../../../core/pages/link-warnings.ts';
import { QrOptionError, readQrOptions } from '../../../core/pages/qr-options.ts';
import { qrSvg } from '../../../core/pages/qr-svg.ts';
import { visitorRoutes } from '../../../core/pages/visitor-routes.ts';
import { shortBaseOf } from '../../../core/projects/project.ts';
import { preferredLanguage } from '../../../core/rules/language.ts';
import { requestedRules } from '../../../core/rules/rule-schema.ts';
import { peopleKinds, visitorKinds } from '../../../core/visits/visitor.ts';
import { OperatorError } from '../../base/operator-error.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { live, savedAppsIn } from '../../links/live-link.ts';
import { findProject } from '../../projects/projects.ts';
import { consoleCall } from '../call.ts';
import { type Goer, whoGoes } from '../who-goes.ts';
import { project } from './projects.ts';

const draft = z.object({
  project,
  /** What is typed of it so far. */
  code: z.string().optional(),
  payload: typedPayload,
});

const goer = z.object({
  kind: z.enum(peopleKinds()),
  /** Two letters; empty if it is unknown. */
  country: z.string(),
  /** A language, or what a browser sends as its languages. */
  language: z.string(),
  /** A time of ISO 8601; empty for now. */
  at: z.string(),
});

/** What a payload would do, before it is stored. Nobody checked it yet but for its types. */
export const previewCalls = {
  /** Where each kind of visitor would go if no rule decides, and what may be wrong. */
  routes: consoleCall(draft, async (input, { target, now }) => {
    // Routes and warnings read no rule.
    const payload = input.payload as LinkPayload;
    const [apps, association, shortUrl] = await Promise.all([
      savedAppsIn(target, input.project, payload),
      target.stores.associations.find(input.project),
      shortUrlOf(target, input),
    ]);
    const link = live({ payload });
    return {
      shortUrl,
      routes: visitorRoutes({ link, apps, shortUrl, query: '', now }),
      warnings: linkWarnings(link, apps, association),
    };
  }),

  /** Where the rules would send a visitor; or what is wrong with the rules. */
  whoGoes: consoleCall(draft.extend({ visitor: goer }), async (input, { target, now }) => {
    const read = requestedRules.safeParse(input.payload.rules ?? [], { error: schemaFault });
    if (!read.success) return { ways: [], faults: read.error.issues.map(faultOf) };
    const payload: LinkPayload = { ...input.payload, rules: read.data ?? [] };
    const [apps, shortUrl] = await Promise.all([
      savedAppsIn(target, input.project, payload),
      shortUrlOf(target, input),
    ]);
    const ways = whoGoes({ link: live({ payload }), apps, shortUrl }, goerOf(input.visitor, now));
    return { ways, faults: [] };
  }),

  /** A short URL's QR code, which the page draws. Options are those of the public addresses. */
  qrCode: consoleCall(
    z.object({ shortUrl: z.url().max(300), options: z.record(z.string(), z.string()) }),
    async ({ shortUrl, options: asked }) => {
      try {
        const options = readQrOptions(asked);
        // A visitor who scans it is counted as such.
        return { ...options, svg: qrSvg(`${shortUrl}?${qrParameter}`, options) };
      } catch (error) {
        if (error instanceof QrOptionError) throw new OperatorError(error.message);
        throw error;
      }
    },
  ),
};

const shortUrlOf = async (
  target: Deployment,
  { project: id, code }: z.output<typeof draft>,
): Promise<string> => `${shortBaseOf(await findProject(target, id), target.shortBase)}/${code || 'CODE'}`;

const faultOf = ({ path, message }: z.core.$ZodIssue): Fault => ({
  field: ['payload', 'rules', ...path].join('.'),
  message,
});

const goerOf = ({ kind, country, language, at }: z.output<typeof goer>, now: Date): Goer => {
  const time = new Date(at);
  return {
    visitor: visitorKinds[kind].visitor,
    country: country.toUpperCase() || undefined,
    language: preferredLanguage(language),
    now: Number.isNaN(time.getTime()) ? now : time,
  };
};
