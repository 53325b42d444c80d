// Requests to the studio's server: work is started, then looked at until it ends. Addresses are relative to the page's own,
// which holds the secret that the server wants to see.

export interface Wrong {
  message: string;
  hint: string;
  status: number;
  field: string | null;
}

export interface Progress {
  job: string;
  fraction: number;
  what: string;
  state: string;
}

export interface OpenTable {
  table: string; // its number
  name: string;
}

// What the page takes of a job's file: the texts of its flags, and the columns of each role.
export interface OpenedJob {
  table: string;
  roles: Record<string, string[]>;
  question: Record<string, string>;
  plan: Record<string, string>;
  output: string;
  keep: string;
  shuffle: boolean;
  not_here: string[];
}

export interface FileLink {
  id: string;
  name: string;
}

// A plan that somebody rested at, or a release.
export interface Past {
  kind: "plan" | "release";
  digest: string;
  table: string;
  name: string;
  epsilon: string;
  promise: string;
  method: string;
  error: string;
  said: string;
  question: Record<string, string>;
  plan: Record<string, string>;
  files: Record<string, FileLink>;
}

export type Request = Record<string, unknown>;

interface JobView extends Progress {
  result?: unknown;
  error?: Wrong;
}

export class StudioError extends Error {
  constructor(readonly wrong: Wrong) {
    super(wrong.message);
  }
}

const MOST_TRIES = 5;

// The work was replaced by newer work, or stopped by hand.
export class Cancelled extends Error {}

const stopped: Wrong = { message: "the studio kept stopping this work", hint: "change something, or reload the page", status: 5, field: null };
const gone: Wrong = { message: "the studio does not answer", hint: "is fugu studio still running in its terminal? Your settings stay in this page's address", status: 5, field: null };
const elsewhere: Wrong = {
  message: "this address is no longer the studio's",
  hint: "it was started again: open the address that it prints now. To keep your settings, copy everything after # to the new address",
  status: 5,
  field: null,
};

async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      ...(signal ? { signal } : {}),
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw new Cancelled();
    throw new StudioError(gone);
  }
  const text = await response.text();
  let answer: { error?: Wrong; job?: string };
  try {
    answer = JSON.parse(text) as { error?: Wrong; job?: string };
  } catch {
    throw new StudioError(response.status === 413 ? { ...gone, message: "the request is too large", hint: "use a smaller one" } : response.status === 403 ? elsewhere : gone);
  }
  if (answer.error && answer.job === undefined) throw new StudioError(answer.error);
  return answer;
}

export const get = (path: string): Promise<unknown> => ask("GET", path);
export const openTable = (name: string, signal: AbortSignal): Promise<OpenTable> => ask("POST", "api/table", { name }, signal) as Promise<OpenTable>;
// One that this run of the studio had open before, by its number.
export const openAgain = (table: string, signal: AbortSignal): Promise<OpenTable> => ask("POST", "api/table", { table }, signal) as Promise<OpenTable>;

export const openJob = (text: string): Promise<OpenedJob> => ask("POST", "api/job", { text }) as Promise<OpenedJob>;

// The plan that is shown goes into the history; without one it is only asked for.
export async function history(shown?: Request): Promise<Past[]> {
  const { history } = (await (shown ? ask("POST", "api/history", shown) : ask("GET", "api/history"))) as { history: Past[] };
  return history;
}

let rounds = 0; // requests overtake each other on their way: the server goes by this, not by which comes first

// Starts the work and follows it to its end, or to when it is no longer wanted: it is stopped then.
export async function work<T>(kind: string, request: Request, onProgress?: (progress: Progress) => void, isWanted = () => true): Promise<T> {
  let view = (await ask("POST", `api/${kind}`, { ...request, round: ++rounds })) as JobView;
  while (view.state === "waiting" || view.state === "running") {
    if (!isWanted()) {
      await cancel(view.job);
      throw new Cancelled();
    }
    onProgress?.(view);
    view = (await ask("GET", `api/jobs/${view.job}`)) as JobView;
  }
  if (view.error) throw new StudioError(view.error);
  if (view.state !== "done") throw new Cancelled();
  return view.result as T;
}

// The same for as long as nothing newer is asked: work that is stopped while it is still the last is begun again.
export async function lastWork<T>(isLast: () => boolean, kind: string, request: Request, onProgress?: (progress: Progress) => void): Promise<T> {
  for (let tries = 1; ; ++tries) {
    try {
      return await work<T>(kind, request, onProgress, isLast);
    } catch (error) {
      if (!(error instanceof Cancelled) || !isLast()) throw error;
      if (tries === MOST_TRIES) throw new StudioError(stopped);
    }
  }
}

export const cancel = (job: string): Promise<unknown> => ask("DELETE", `api/jobs/${job}`);

// A dropped file, as it is; what is sent is told as a share of it.
export function upload(file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<OpenTable> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort());
    request.onabort = () => failed(new Cancelled());
    request.open("POST", `api/upload?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = () => failed(new StudioError({ ...gone, message: "the table was not uploaded", hint: "is it larger than the studio's limit (--upload-limit)?", field: "table" }));
    request.onload = () => {
      try {
        const answer = JSON.parse(request.responseText) as OpenTable & { error?: Wrong };
        if (answer.error) failed(new StudioError(answer.error));
        else done(answer);
      } catch {
        failed(new StudioError({ ...gone, message: request.status === 413 ? "the table is larger than the studio's limit" : "the table was not uploaded", hint: "start the studio with a larger --upload-limit, or name the table when you start it", field: "table" }));
      }
    };
    request.send(file);
  });
}
