const [quote, backslash, comma, bracket, brace] = [...'"\\,]}'].map((sign) => sign.charCodeAt(0));

/**
 * The size of an item in bytes as DynamoDB counts it: names and values, numbers at two digits a byte. Takes JSON
 * without blanks, because parsing it takes several times as long.
 */
export const itemSize = (json: string): number => new Item(json).attributes(0);

/** Scans the text; each method returns the size of the part that it has passed. */
class Item {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** `{"name":{"S":"value"},…}`, with some bytes for each. */
  attributes(each: number): number {
    return this.#listed(() => {
      const name = this.#string();
      this.#at++;
      return name + this.#value() + each;
    });
  }

  /** A bracketed list, separated by commas. */
  #listed(one: () => number): number {
    let size = 0;
    this.#at++;
    while (this.#code() !== bracket && this.#code() !== brace) {
      if (this.#code() === comma) this.#at++;
      size += one();
    }
    this.#at++;
    return size;
  }

  /** `{"S":"value"}` */
  #value(): number {
    const end = this.#text.indexOf('"', this.#at + 2);
    const type = this.#text.slice(this.#at + 2, end);
    this.#at = end + 2;
    const size = this.#ofType(type);
    this.#at++;
    return size;
  }

  #ofType(type: string): number {
    switch (type) {
      case 'S':
        return this.#string();
      case 'N':
        return numberSize(this.#plain());
      case 'B':
        return Buffer.byteLength(this.#plain(), 'base64');
      case 'SS':
      case 'NS':
      case 'BS':
        return this.#listed(() => this.#ofType(type.charAt(0)));
      case 'M':
        return 3 + this.attributes(1);
      case 'L':
        return 3 + this.#listed(() => this.#value() + 1);
      default:
        // A boolean or null.
        this.#at = this.#text.indexOf('}', this.#at);
        return 1;
    }
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  /** A string without escapes. */
  #plain(): string {
    const end = this.#text.indexOf('"', this.#at + 1);
    const plain = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return plain;
  }

  #string(): number {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return at - start - 1;
      }
      if (code === backslash || code > 0x7f) return this.#unusual();
    }
    throw new Error('The item is cut off');
  }

  #unusual(): number {
    const start = this.#at;
    do this.#at = this.#text.indexOf('"', this.#at + 1);
    while (this.#isEscaped());
    this.#at++;
    return Buffer.byteLength(JSON.parse(this.#text.slice(start, this.#at)));
  }

  #isEscaped(): boolean {
    let slashes = 0;
    while (this.#text.charCodeAt(this.#at - 1 - slashes) === backslash) slashes++;
    return slashes % 2 === 1;
  }
}

function numberSize(value: string): number {
  const digits = value
    .replace(/[eE].*$/, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + (value.startsWith('-') ? 2 : 1);
}
