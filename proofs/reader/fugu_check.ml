(* fugu-check PLAN: whether the proved checker accepts the plan. 0 proved, 4 not proved, 7 not covered, 3 no plan, 5 not read,
   2 wrong usage. *)

let say status line = print_endline line; exit status

let read path =
  let file = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

let () =
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 22; space_overhead = 400 };
  match Sys.argv with
  | [| _; path |] ->
    let text = try read path with Sys_error why -> say 5 ("not read: " ^ why) in
    (match
       let plan = Plan_file.read (Json.parse text) in
       Check.check plan
     with
     | true -> say 0 "proved"
     | false -> say 4 "not proved"
     | exception Plan_file.Not_proved why -> say 4 ("not proved: " ^ why)
     | exception Plan_file.Not_covered why -> say 7 ("not covered: " ^ why)
     | exception Json.Bad why -> say 3 ("no plan: " ^ why)
     | exception (Invalid_argument _ | Failure _ | Z.Overflow | Not_found) -> say 3 "no plan: its lists do not fit together"
     | exception (Stack_overflow | Out_of_memory) -> say 7 "not covered: the plan is too large")
  | _ -> say 2 "usage: fugu-check PLAN"
