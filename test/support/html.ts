import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

const isElement = (node: Node): node is Element => 'tagName' in node;

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);

/** Every element of a page, in the order of its text. */
export const elementsOf = (html: string): Element[] => {
  const below = (node: Node): Element[] => [
    ...(isElement(node) ? [node] : []),
    ...childrenOf(node).flatMap(below),
  ];
  return below(parse(html));
};

/** The structure of a page without its texts: elements and their attributes' names. */
export const structureOf = (html: string): string[] =>
  elementsOf(html).map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => name)].join(' '));

export const attributeOf = (element: Element | undefined, name: string): string | undefined =>
  element?.attrs.find((attribute) => attribute.name === name)?.value;

export const textOf = (node: Node | undefined): string => {
  if (!node) return '';
  return node.nodeName === '#text' && 'value' in node ? node.value : childrenOf(node).map(textOf).join('');
};

/** The content of a `<meta>` by its name or property. */
export const metaOf = (html: string, name: string): string | undefined =>
  attributeOf(
    elementsOf(html).find(
      (element) =>
        element.tagName === 'meta' &&
        [attributeOf(element, 'name'), attributeOf(element, 'property')].includes(name),
    ),
    'content',
  );
