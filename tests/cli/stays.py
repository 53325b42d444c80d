"""A hospital's table with the oddities of a real one: 50 columns, fewer patients than stays, marks of what is missing, codes, dates."""
import datetime

DRUGS = [f"drug{k}" for k in range(23)]

#: What each column is, but for the drugs.
KINDS = {
    "encounter_id": "code", "patient_nbr": "number", "race": "category", "gender": "category", "age": "ordered category",
    "weight": "ordered category", "admission_type_id": "code", "discharge_disposition_id": "code", "admission_source_id": "code",
    "time_in_hospital": "number", "payer_code": "category", "medical_specialty": "category", "num_lab_procedures": "number",
    "num_procedures": "number", "num_medications": "number", "number_outpatient": "number", "number_emergency": "number",
    "diag_1": "code", "diag_2": "code", "number_diagnoses": "number", "max_glu_serum": "category", "A1Cresult": "category", "zip": "code",
    "admitted": "date", "discharged": "date", "born": "date", "readmitted": "category",
}


def stay(k):
    day = datetime.date(2004, 1, 1) + datetime.timedelta(days=k * 37 % 1500)
    decade = k * k % 10 * 10
    values = {
        "encounter_id": 2278392 + 6 * k, "patient_nbr": 8222157 + k * 11 % 700, "race": ["Caucasian", "AfricanAmerican", "?", "Asian"][k * 5 % 7 % 4],
        "gender": ["Female", "Male"][k % 2], "age": f"[{decade}-{decade + 10})", "weight": ["?", "[75-100)", "[100-125)", "[50-75)"][k % 4],
        "admission_type_id": k % 6 + 1, "discharge_disposition_id": k % 20 + 1, "admission_source_id": k % 7 + 1, "time_in_hospital": k % 14 + 1,
        "payer_code": ["?", "MC", "MD", "HM"][k % 4], "medical_specialty": ["?", "Surgery-General", "Cardiology"][k % 3], "num_lab_procedures": k * 7 % 90,
        "num_procedures": k % 7, "num_medications": k % 40, "number_outpatient": k % 5, "number_emergency": k % 4,
        "diag_1": ["250.83", "V27", "428", "E885"][k % 4], "diag_2": ["276", "250.01", "V45", "8"][k % 4], "number_diagnoses": k % 9 + 1,
        "max_glu_serum": ["None", ">200", ">300", "Norm"][k % 4], "A1Cresult": ["None", ">7", ">8", "Norm"][k % 4], "zip": f"{k % 40 + 2100:05d}",
        "admitted": day.isoformat(), "discharged": day.strftime("%d.%m.%Y 10:30"), "born": (day - datetime.timedelta(days=19000)).strftime("%m/%d/%Y"),
        "readmitted": ["NO", "<30", ">30"][k % 3],
    }
    return values | {drug: ["No", "Steady", "Up", "Down"][k % 5 % 4] for drug in DRUGS}


def stays(rows=1000):
    lines = [",".join(stay(0))]
    lines += [",".join(map(str, stay(k).values())) for k in range(rows)]
    return "\n".join(lines) + "\n"
