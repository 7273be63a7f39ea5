type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls back when the server has answered a request with 401: the session may have ended. */
export const onUnauthorized = (listener: Listener) => void listeners.add(listener);

export const reportUnauthorized = () => {
  for (const listener of listeners) listener();
};
