import { wantedLanguages } from '../rules/language.ts';
import { type PageWords, type Translated, translated, words } from './words.ts';

/** The first of a visitor's languages that pages exist in, ignoring regions; otherwise English. */
export const pageLanguage = (acceptLanguage: string | undefined): Translated | 'en' =>
  wantedLanguages(acceptLanguage)
    .map((language) => language.split('-')[0])
    .map((language) =>
      language === 'en' ? language : translated.find((one) => one.split('-')[0] === language),
    )
    .find((language) => language !== undefined) ?? 'en';

export const pageWords = async (acceptLanguage: string | undefined): Promise<PageWords> => {
  const language = pageLanguage(acceptLanguage);
  if (language === 'en') return words;
  // A static import would load all translations at each cold start.
  const { translations } = await import('./translations.ts');
  return { language, ...translations[language] };
};
