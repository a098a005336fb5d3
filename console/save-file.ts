/** Downloads text or bytes as a file. */
export const saveFile = (name: string, content: BlobPart): void => {
  const address = URL.createObjectURL(new Blob([content]));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
