import { shellOption } from '../../core/base/shell-words.ts';
import type { Context } from './command.ts';

/** The options that name this deployment in another command. */
export const placeFlags = ({ data, stack, region, profile }: Context['place']): string => {
  if (stack === undefined) return data === '.local' ? '' : shellOption('data', data);
  const options = [
    shellOption('stack', stack),
    ...(region === undefined ? [] : [shellOption('region', region)]),
    ...(profile === undefined ? [] : [shellOption('profile', profile)]),
  ];
  return options.join(' ');
};
