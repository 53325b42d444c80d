(* A plan's file as the checker's plan. What bears on the guarantee is read or refused; keys that are unknown are errors. *)

open Json

exception Not_covered of string
exception Not_proved of string

let bad place what = raise (Bad (place ^ ": " ^ what))

let members place allowed = function
  | Object members ->
    List.iter (fun (key, _) -> if not (List.mem key allowed) then bad place ("the key \"" ^ key ^ "\" is unknown")) members;
    members
  | _ -> bad place "this must be an object"

let find key members = match List.assoc_opt key members with Some Null | None -> None | found -> found
let need place key members = match find key members with Some value -> value | None -> bad place ("the key \"" ^ key ^ "\" is missing")
let list place = function List items -> items | _ -> bad place "this must be a list"
let text place = function Text text -> text | _ -> bad place "this must be text"

let whole_text place digits =
  if digits = "" || not (String.for_all is_digit digits) then bad place "this must be a whole number";
  Z.of_string digits

let whole place = function Text digits | Number digits -> whole_text place digits | _ -> bad place "this must be a whole number"

(* Exact as written: a decimal, or in quotes also a fraction. *)
let rational place value =
  let decimal digits =
    let mantissa, exponent = match String.index_opt (String.lowercase_ascii digits) 'e' with
      | None -> digits, 0
      | Some at ->
        let tail = String.sub digits (at + 1) (String.length digits - at - 1) in
        let below = tail <> "" && tail.[0] = '-' in
        let signed = below || (tail <> "" && tail.[0] = '+') in
        let tail = if signed then String.sub tail 1 (String.length tail - 1) else tail in
        if String.length tail > 5 then bad place "the exponent is too large";
        let size = Z.to_int (whole_text place tail) in
        String.sub digits 0 at, if below then - size else size in
    let negative = mantissa <> "" && mantissa.[0] = '-' in
    let mantissa = if negative then String.sub mantissa 1 (String.length mantissa - 1) else mantissa in
    let before, after = match String.index_opt mantissa '.' with
      | None -> mantissa, ""
      | Some at -> String.sub mantissa 0 at, String.sub mantissa (at + 1) (String.length mantissa - at - 1) in
    let top = whole_text place (before ^ after) in
    let shift = exponent - String.length after in
    if abs shift > 400 then bad place "the exponent is too large";
    let power = Z.pow (Z.of_int 10) (abs shift) in
    let size = if shift >= 0 then Q.of_bigint (Z.mul top power) else Q.make top power in
    if negative then Q.neg size else size in
  match value with
  | Number digits -> decimal digits
  | Text digits ->
    (match String.index_opt digits '/' with
     | None -> decimal digits
     | Some at ->
       let bottom = whole_text place (String.sub digits (at + 1) (String.length digits - at - 1)) in
       if Z.sign bottom = 0 then bad place "a fraction's bottom is 0";
       Q.div (decimal (String.sub digits 0 at)) (Q.of_bigint bottom))
  | _ -> bad place "this must be a number"

(* ---- Values on lattices ---- *)

let lattice json =
  let m = members "lattice" [ "step"; "origin" ] json in
  let step = rational "lattice.step" (need "lattice" "step" m) in
  let origin = match find "origin" m with Some value -> rational "lattice.origin" value | None -> Q.zero in
  if Q.sign step <= 0 then bad "lattice.step" "this must be above 0";
  step, origin

let lattices = function List items -> List.map lattice items | json -> [ lattice json ]

let index place (step, origin) json =
  let steps = Q.div (Q.sub (rational place json) origin) step in
  if not (Z.equal (Q.den steps) Z.one) then bad place "a value is no lattice point";
  Q.num steps

let point place lattices json =
  match lattices, json with
  | [ one ], _ -> [ index place one json ]
  | _, List items when List.length items = List.length lattices -> List.map2 (index place) lattices items
  | _ -> bad place "a value has other columns"

(* ---- The mechanism ---- *)

let noise place json =
  let m = members place [ "noise"; "scale"; "reach"; "symmetric"; "weights"; "tail"; "influence"; "mse"; "objective"; "error"; "lattice"; "weight" ] json in
  let listed = List.map (whole place) (list place (need place "weights" m)) in
  let weights = match need place "symmetric" m, listed with
    | Bool false, _ | Bool true, [] -> listed
    | Bool true, middle :: right -> List.rev_append right (middle :: right)
    | _ -> bad place "symmetric is true or false" in
  let tail = members (place ^ ".tail") [ "numerator"; "log2_denominator" ] (need place "tail" m) in
  let bits = whole place (need place "log2_denominator" tail) in
  if Z.gt bits (Z.of_int (1 lsl 20)) then bad place "the tail has too many bits";
  { Check.reach = whole place (need place "reach" m); weights; numerator = whole place (need place "numerator" tail); bits }

let stratum place lattices known m =
  let flow = function
    | List [ i; j; w ] -> (whole place i, whole place j), whole place w
    | _ -> bad place "a flow is a list of three" in
  let rows key item = List.rev (List.rev_map item (list place (need place key m))) in
  { Check.stratum_known = known; points = rows "points" (point place lattices); totals = rows "totals" (whole place);
    flows = rows "flows" flow }

let texts place json = List.map (text place) (list place json)

let mechanism lattices json =
  let place = "mechanism" in
  let name = match json with Object m -> text place (need place "noise" m) | _ -> bad place "this must be an object" in
  match name, json with
  | "channel", _ ->
    let m = members place [ "noise"; "scale"; "inputs"; "outputs"; "unbiased"; "weights"; "mse"; "objective"; "error"; "lattice" ] json in
    let values key = List.map (point place lattices) (list place (need place key m)) in
    Check.Channel (values "inputs", values "outputs", List.map (fun row -> List.map (whole place) (list place row)) (list place (need place "weights" m)))
  | "swap", Object m when List.mem_assoc "strata" m ->
    let m = members place [ "noise"; "scale"; "strata"; "unchanged"; "mse"; "objective"; "error"; "lattice" ] json in
    let one json =
      let m = members place [ "known"; "points"; "totals"; "flows" ] json in
      stratum place lattices (texts place (need place "known" m)) m in
    Check.Swap (List.map one (list place (need place "strata" m)))
  | "swap", _ ->
    let m = members place [ "noise"; "scale"; "points"; "totals"; "flows"; "unchanged"; "mse"; "objective"; "error"; "lattice" ] json in
    Check.Swap [ stratum place lattices [] m ]
  | _, Object m when List.mem_assoc "columns" m ->
    let m = members place [ "noise"; "scale"; "columns"; "mse"; "objective"; "error"; "lattice" ] json in
    Check.Noises (List.map (noise place) (list place (need place "columns" m)))
  | _ -> Check.Noises [ noise place json ]

(* ---- Priors and promises ---- *)

let law lattices json =
  let place = "given" in
  (match json with
   | Object m when List.mem_assoc "gaussian" m || List.mem_assoc "mixture" m -> raise (Not_covered "a law that a model states")
   | _ -> ());
  let m = members place [ "values"; "mass" ] json in
  let values = List.rev_map (point place lattices) (list place (need place "values" m)) in
  let masses = List.rev_map (rational place) (list place (need place "mass" m)) in
  if List.compare_lengths values masses <> 0 then bad place "there must be a mass for each value";
  let common = List.fold_left (fun common mass -> Z.lcm common (Q.den mass)) Z.one masses in
  List.rev_map2 (fun value mass -> value, Z.divexact (Z.mul (Q.num mass) common) (Q.den mass)) values masses

let rec nat n = if n = 0 then Check.O else Check.S (nat (n - 1))
let place_of_secret secrets name =
  let rec go k = function
    | [] -> bad "pairs" "there is no such secret"
    | secret :: _ when secret = name -> nat k
    | _ :: rest -> go (k + 1) rest in
  go 0 secrets

let pairs secrets = function
  | Text "all" ->
    let rec go = function [] -> [] | a :: rest -> List.map (fun b -> a, b) rest @ go rest in
    go (List.mapi (fun k _ -> nat k) secrets)
  | json ->
    let one item = match texts "pairs" item with
      | [ a; b ] when a <> b -> place_of_secret secrets a, place_of_secret secrets b
      | _ -> bad "pairs" "a pair has two secrets" in
    List.map one (list "pairs" json)

let source_keys =
  [ "secret"; "public"; "labels"; "na"; "missing"; "header"; "step"; "map"; "reads"; "clip"; "bin"; "edges"; "rare"; "range";
    "range_people"; "given"; "known"; "also"; "min_group"; "merged"; "left_out"; "dropped"; "person"; "rows_independent";
    "weight"; "count" ]

let check_source = function
  | None -> ()
  | Some json ->
    (match find "person" (members "source" source_keys json) with
     | None -> ()
     | Some person ->
       let m = members "person" [ "column"; "rows"; "seed" ] person in
       if not (Z.equal (whole "person" (need "person" "rows" m)) Z.one) then raise (Not_covered "several rows of a person"))

(* Of the guarantee and the scenario alike: an epsilon for the odds, nothing else. *)
let epsilon place m =
  let zero key = match find key m with None -> true | Some value -> Q.sign (rational place value) = 0 in
  if not (zero "delta") then raise (Not_covered "a delta above 0");
  if not (zero "confidence") then raise (Not_covered "a confidence");
  if not (zero "closeness") then raise (Not_covered "closeness");
  (match find "promise" m with None | Some (Text "odds") -> () | _ -> raise (Not_covered "a promise in belief"));
  let value = rational place (need place "epsilon" m) in
  if Q.sign value <= 0 || Q.gt value (Q.of_int 100) then bad place "epsilon must be above 0, and at most 100";
  value

(* Budgets of a pair, or of all that concerns a secret: of a pair the least of its own and of either secret's. *)
let promises secrets pairs epsilon json =
  let budget item =
    let m = members "budgets" [ "secrets"; "epsilon" ] item in
    let value = rational "budgets" (need "budgets" "epsilon" m) in
    if Q.sign value <= 0 || Q.gt value epsilon then bad "budgets" "a budget is above 0, and at most epsilon";
    match List.map (place_of_secret secrets) (texts "budgets" (need "budgets" "secrets" m)) with
    | [ a; b ] when a = b -> bad "budgets" "a budget is of one secret or of two"
    | ([ _ ] | [ _; _ ]) as ends ->
      let of_it (a, b) = match ends with [ s ] -> s = a || s = b | _ -> List.sort compare [ a; b ] = List.sort compare ends in
      if not (List.exists of_it pairs) then bad "budgets" "a budget is of no pair that is protected";
      List.sort compare ends, value
    | _ -> bad "budgets" "a budget is of one secret or of two" in
  let budgets = match json with None -> [] | Some json -> List.map budget (list "budgets" json) in
  let distinct = List.sort_uniq compare (List.map fst budgets) in
  if List.compare_lengths distinct budgets <> 0 then bad "budgets" "a budget stands twice";
  let own ends = match List.assoc_opt ends budgets with Some value -> value | None -> epsilon in
  let promise (a, b) =
    let value = Q.min (own (List.sort compare [ a; b ])) (Q.min (own [ a ]) (own [ b ])) in
    { Check.top = Q.num value; bottom = Q.den value; pairs = [ a, b ] } in
  if budgets = [] then [ { Check.top = Q.num epsilon; bottom = Q.den epsilon; pairs } ] else List.map promise pairs

(* Whoever is in a stratum is somebody whom a prior is about, and no stratum stands twice. *)
let check_strata drawn_by (priors : Check.prior list) = match drawn_by with
  | Check.Swap strata ->
    let known = List.map (fun (s : Check.stratum) -> s.Check.stratum_known) strata in
    if List.compare_lengths (List.sort_uniq compare known) known <> 0 then bad "mechanism" "a stratum stands twice";
    let has_prior one = List.exists (fun (p : Check.prior) -> p.Check.known = one) priors in
    if not (List.for_all has_prior known) then raise (Not_proved "a stratum has no prior")
  | _ -> ()

(* As many cells as the program looks at; of more it proves by distances. *)
let check_size columns priors =
  let one (prior : Check.prior) =
    let values = List.concat_map (List.map fst) prior.laws in
    let count c = List.length (List.sort_uniq Z.compare (List.rev_map (fun x -> List.nth x c) values)) in
    let cells = List.fold_left (fun product c -> product *. float_of_int (count c)) 1. (List.init columns Fun.id) in
    if cells > 1e6 || cells *. float_of_int (List.length prior.laws) > 2e7
    then raise (Not_covered "more combinations of values than can be looked at") in
  if columns > 1 then List.iter one priors

let read json =
  let plan = members "plan" [ "fugu"; "digest"; "guarantee"; "mechanism"; "sensitivity"; "witness"; "assumptions"; "notes"; "scenario"; "model" ] json in
  if need "plan" "fugu" plan <> Number "1" then bad "fugu" "this version of plans is unknown";
  if List.mem_assoc "model" plan then raise (Not_covered "a plan of a model");
  let guarantee = members "guarantee" [ "epsilon"; "delta"; "closeness"; "promise"; "budgets"; "method"; "pairs"; "priors"; "confidence"; "domain" ]
      (need "plan" "guarantee" plan) in
  let scenario = members "scenario" [ "epsilon"; "delta"; "closeness"; "closeness_by"; "confidence"; "bounds"; "sampling"; "promise"; "budgets";
      "priors"; "pairs"; "lattice"; "weights"; "source" ] (need "plan" "scenario" plan) in
  let stated = epsilon "guarantee" guarantee and promised = epsilon "scenario" scenario in
  if not (Q.equal stated promised) then raise (Not_proved "the guarantee states another epsilon than the scenario");
  check_source (find "source" scenario);
  let own = lattices (need "scenario" "lattice" scenario) in
  let drawn = need "plan" "mechanism" plan in
  (match drawn with
   | Object m when List.for_all2 (fun (a, b) (c, d) -> Q.equal a c && Q.equal b d) own (lattices (need "mechanism" "lattice" m)) -> ()
   | _ -> bad "mechanism.lattice" "this is not the scenario's");
  let secrets = ref [] in
  let prior json =
    let m = members "prior" [ "name"; "known"; "given"; "shares" ] json in
    let given = match need "prior" "given" m with Object given -> given | _ -> bad "given" "this must be an object" in
    if !secrets = [] then secrets := List.map fst given;
    if List.length given <> List.length !secrets then bad "given" "the priors do not have the same secrets";
    { Check.known = (match find "known" m with Some known -> texts "known" known | None -> []);
      laws = List.map (fun secret -> law own (need "given" secret given)) !secrets } in
  let priors = List.map prior (list "priors" (need "scenario" "priors" scenario)) in
  let pairs = pairs !secrets (need "scenario" "pairs" scenario) in
  let stated key = whole "guarantee" (need "guarantee" key guarantee) in
  if not (Z.equal (stated "pairs") (Z.of_int (List.length pairs)) && Z.equal (stated "priors") (Z.of_int (List.length priors)))
  then raise (Not_proved "the guarantee states other numbers of pairs or priors than the scenario has");
  let drawn_by = mechanism own drawn in
  (match drawn_by with Check.Noises columns -> check_size (List.length columns) priors | _ -> ());
  let budgets = find "budgets" scenario in
  if find "budgets" guarantee <> budgets then raise (Not_proved "the guarantee states other budgets than the scenario");
  check_strata drawn_by priors;
  { Check.drawn_by; priors; promises = promises !secrets pairs promised budgets }
