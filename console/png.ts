/** A picture of an SVG as PNG, in base64; drawn by the browser, so it leaves the page for nobody. */
export const pngOf = async (svg: string, size: number): Promise<string> => {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  canvas.getContext('2d')?.drawImage(image, 0, 0, size, size);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
};
