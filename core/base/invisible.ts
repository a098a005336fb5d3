/** Characters that nobody sees at the end of a copied text: such as spaces without width and marks of direction. */
export const invisible = '\u00a0\u200b\u200c\u200d\u200e\u200f\u2060\ufeff';
