/** Fields of a request that a template can allow, apart from parameters by name (`link.query.NAME`). */
export const allowances = [
  'link.path',
  'link.query',
  'link.fragment',
  'social.title',
  'social.description',
  'social.image',
  'data',
  'campaign.utm_source',
  'campaign.utm_medium',
  'campaign.utm_campaign',
  'campaign.utm_content',
  'campaign.utm_term',
] as const;

/** The name that `link.query.NAME` allows; undefined for other fields. */
export const allowedParameter = (field: string): string | undefined =>
  /^link\.query\.(.+)$/s.exec(field)?.[1];
