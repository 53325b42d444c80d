(* JSON, strictly: numbers stay the text that they are, and a key stands once in an object. *)

type t = Null | Bool of bool | Number of string | Text of string | List of t list | Object of (string * t) list

exception Bad of string

let deepest = 64
let is_digit c = c >= '0' && c <= '9'

let parse text =
  let length = String.length text and at = ref 0 in
  let bad what = raise (Bad (Printf.sprintf "byte %d: %s" !at what)) in
  let peek () = if !at < length then text.[!at] else '\000' in
  let rec blank () = match peek () with ' ' | '\t' | '\n' | '\r' -> incr at; blank () | _ -> () in
  let expect c = if peek () = c && !at < length then incr at else bad (Printf.sprintf "there must be %c" c) in
  let word name value =
    if !at + String.length name <= length && String.sub text !at (String.length name) = name
    then (at := !at + String.length name; value) else bad "this is not JSON" in
  let digits () = if not (is_digit (peek ())) then bad "there must be a digit"; while is_digit (peek ()) do incr at done in
  let number () =
    let first = !at in
    if peek () = '-' then incr at;
    if peek () = '0' then incr at else digits ();
    if peek () = '.' then (incr at; digits ());
    if peek () = 'e' || peek () = 'E' then (incr at; (if peek () = '+' || peek () = '-' then incr at); digits ());
    String.sub text first (!at - first) in
  let hex () =
    let value = ref 0 in
    for _ = 1 to 4 do
      let digit = match peek () with
        | '0' .. '9' as c -> Char.code c - 48 | 'a' .. 'f' as c -> Char.code c - 87 | 'A' .. 'F' as c -> Char.code c - 55
        | _ -> bad "an escape has four hexadecimal digits" in
      value := (!value * 16) + digit; incr at
    done;
    !value in
  let string () =
    expect '"';
    let out = Buffer.create 16 in
    let rec go () =
      if !at >= length then bad "the text does not end";
      match text.[!at] with
      | '"' -> incr at
      | '\\' -> incr at; escape (); go ()
      | c when c < ' ' -> bad "a control character must be escaped"
      | c -> Buffer.add_char out c; incr at; go ()
    and escape () =
      let c = peek () in
      incr at;
      match c with
      | '"' | '\\' | '/' -> Buffer.add_char out c
      | 'b' -> Buffer.add_char out '\b' | 'f' -> Buffer.add_char out '\012' | 'n' -> Buffer.add_char out '\n'
      | 'r' -> Buffer.add_char out '\r' | 't' -> Buffer.add_char out '\t'
      | 'u' ->
        let high = hex () in
        let code =
          if high < 0xD800 || high > 0xDFFF then high
          else if high > 0xDBFF then bad "half a surrogate pair"
          else begin
            expect '\\'; expect 'u';
            let low = hex () in
            if low < 0xDC00 || low > 0xDFFF then bad "half a surrogate pair";
            0x10000 + ((high - 0xD800) * 0x400) + (low - 0xDC00)
          end in
        Buffer.add_utf_8_uchar out (Uchar.of_int code)
      | _ -> bad "there is no such escape" in
    go ();
    Buffer.contents out in
  let rec value depth =
    if depth > deepest then bad "this is nested too deep";
    blank ();
    match peek () with
    | 'n' -> word "null" Null | 't' -> word "true" (Bool true) | 'f' -> word "false" (Bool false)
    | '"' -> Text (string ())
    | '[' -> incr at; List (items ']' (fun () -> value (depth + 1)))
    | '{' ->
      incr at;
      let seen = Hashtbl.create 8 in
      let member () =
        blank ();
        let key = string () in
        if Hashtbl.mem seen key then bad "a key stands twice in one object";
        Hashtbl.add seen key ();
        blank (); expect ':';
        (key, value (depth + 1)) in
      Object (items '}' member)
    | _ -> Number (number ())
  and items : 'a. char -> (unit -> 'a) -> 'a list = fun close item ->
    blank ();
    if peek () = close then (incr at; [])
    else begin
      let found = ref [ item () ] in
      blank ();
      while peek () = ',' do incr at; found := item () :: !found; blank () done;
      expect close;
      List.rev !found
    end in
  let result = value 0 in
  blank ();
  if !at < length then bad "something follows the value";
  result
