/**
 * Collects what a turn of the event loop has to say to another thread, and posts it as one list: a post costs
 * more than what it carries.
 */
export function outbox<Message>(post: (messages: Message[]) => void): (message: Message) => void {
  let waiting: Message[] = [];
  const flush = () => {
    const messages = waiting;
    waiting = [];
    post(messages);
  };
  return (message) => {
    if (waiting.push(message) === 1) setImmediate(flush);
  };
}
