/**
 * Collects the messages of an event-loop turn to another thread and posts them as one list: a post costs more than its
 * content.
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
