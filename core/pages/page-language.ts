import { wantedLanguages } from '../rules/language.ts';
import { messages, type PageMessages, type Translated, translated } from './messages.ts';

/** The first of a visitor's languages that pages exist in, ignoring regions; otherwise English. */
export const pageLanguage = (acceptLanguage: string | undefined): Translated | 'en' =>
  wantedLanguages(acceptLanguage)
    .map((language) => language.split('-')[0])
    .map((language) =>
      language === 'en' ? language : translated.find((one) => one.split('-')[0] === language),
    )
    .find((language) => language !== undefined) ?? 'en';

export const pageMessages = async (acceptLanguage: string | undefined): Promise<PageMessages> => {
  const language = pageLanguage(acceptLanguage);
  if (language === 'en') return messages;
  // A static import would load all translations at each cold start.
  const { translations } = await import('./translations.ts');
  return { language, ...translations[language] };
};
