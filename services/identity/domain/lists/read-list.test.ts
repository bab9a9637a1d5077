import { type ListFormat, readList } from "./read-list";

const ofacXml = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/20/2026</Publish_Date><Record_Count>2</Record_Count></publshInformation>
  <sdnEntry><uid>101</uid><firstName>Zorvan</firstName><lastName>KELDRAN</lastName><sdnType>Individual</sdnType>
    <programList><program>INVENTED</program></programList>
    <idList><id><uid>1</uid><idType>Passport</idType><idNumber>X123456</idNumber></id>
      <id><uid>2</uid><idType>Gender</idType><idNumber>Male</idNumber></id></idList>
    <akaList><aka><uid>2</uid><type>a.k.a.</type><category>weak</category><lastName>Zed</lastName></aka></akaList>
    <nationalityList><nationality><uid>3</uid><country>Iran</country></nationality></nationalityList>
    <dateOfBirthList><dateOfBirthItem><uid>4</uid><dateOfBirth>05 Mar 1961</dateOfBirth></dateOfBirthItem></dateOfBirthList>
  </sdnEntry>
  <sdnEntry><uid>102</uid><lastName>STELLA FICTA</lastName><sdnType>Vessel</sdnType>
    <idList><id><uid>5</uid><idType>Vessel Registration Identification</idType><idNumber>IMO 9123456</idNumber></id></idList>
  </sdnEntry>
</sdnList>`;
const ofacCsv = `101,"KELDRAN, Zorvan","individual","INVENTED] [OTHER",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 05 Mar 1961; POB Fictown; nationality Iran; Passport X123456 (Iran); a.k.a. 'ZED'."
102,"FICTIVE TRADING CO., LTD.",-0- ,"INVENTED",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n\u001a`;
const unXml = `<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-11-20T09:00:00Z"><INDIVIDUALS><INDIVIDUAL><DATAID>7</DATAID>
<FIRST_NAME>Zorvan</FIRST_NAME><SECOND_NAME>Keldran</SECOND_NAME><UN_LIST_TYPE>INVENTED</UN_LIST_TYPE>
<NATIONALITY><VALUE>Iran</VALUE></NATIONALITY>
<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Zorwan Keldran</ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Zed</ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1960</FROM_YEAR><TO_YEAR>1962</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>X123456</NUMBER></INDIVIDUAL_DOCUMENT>
</INDIVIDUAL></INDIVIDUALS><ENTITIES><ENTITY><DATAID>8</DATAID><FIRST_NAME>FICTIVE TRADING</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;
const euCsv = (type: string): string =>
  `\uFEFFfileGenerationDate;Entity_LogicalId;Entity_SubjectType;Entity_SubjectType_ClassificationCode;Entity_Regulation_Programme;NameAlias_LastName;NameAlias_FirstName;NameAlias_MiddleName;NameAlias_WholeName;NameAlias_Strong;BirthDate_BirthDate;BirthDate_Year;Identification_Number;Identification_TypeCode;Citizenship_CountryIso2Code
20/11/2026;7;${type};INVENTED;Keldran;Zorvan;;Zorvan Keldran;true;;;;;
20/11/2026;7;${type};INVENTED;;;;Zed;false;;;;;
20/11/2026;7;${type};INVENTED;;;;;;1961-03-05;1961;;;
20/11/2026;7;${type};INVENTED;;;;;;;;X123456;passport;IR
20/11/2026;8;E;enterprise;INVENTED;;;;"Fictive ""Trading""; Ltd";true;;;;;
`;
const euXml = `<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-20T10:00:00.000+01:00">
<sanctionEntity logicalId="7"><subjectType code="person" classificationCode="P"/><regulation programme="INVENTED"/>
<nameAlias wholeName="Zorvan Keldran" strong="true"/><nameAlias wholeName="Zed" strong="false"/>
<birthdate birthdate="1961-03-05" circa="false"/><identification identificationTypeCode="passport" number="X123456"/>
<citizenship countryIso2Code="IR"/></sanctionEntity>
<sanctionEntity logicalId="8"><subjectType code="enterprise" classificationCode="E"/><nameAlias wholeName="Fictive Trading" strong="true"/></sanctionEntity></export>`;
const ukCsv = `Report Date: 20-Nov-2026
Last Updated,Unique ID,OFSI Group ID,UN Reference Number,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,Title,Name non-latin script,Regime Name,Designation Type,D.O.B,Nationality(/ies),National Identifier number,Passport number,Town of birth,Country of birth,Business registration number (s),IMO number
20/11/2026,INV0007,1,,KELDRAN,Zorvan,,,,,Primary Name,,,,Invented,Individual,00/00/1961,Iran,,X123456,Fictown,Iran,,
20/11/2026,INV0007,1,,ZED,,,,,,Alias,Low quality,,,Invented,Individual,00/00/1961,Iran,,X123456,Fictown,Iran,,
20/11/2026,INV0008,2,,STELLA FICTA,,,,,,Primary Name,,,,Invented,Ship,,,,,,,,9123456
`;
const simpleCsv = `"id","schema","name","aliases","birth_date","countries","addresses","identifiers","sanctions","phones","emails","dataset","first_seen","last_seen","last_change"
"NK-7","Person","Zorvan Keldran","Zorwan Keldran;Zed","1961-03-05","ir","","X123456","","","","Invented","2026-01-01T00:00:00","2026-11-20T00:00:00","2026-11-19T00:00:00"
"NK-8","Company","Fictive Trading","","","","","","","","","Invented","2026-01-01T00:00:00","2026-11-20T00:00:00","2026-11-19T00:00:00"
`;
const ftm = `{"id":"NK-7","caption":"Zorvan Keldran","schema":"Person","properties":{"name":["Zorvan Keldran"],"weakAlias":["Zed"],"birthDate":["1961-03-05"],"nationality":["ir"],"passportNumber":["X123456"],"topics":["sanction"]},"last_change":"2026-11-19T00:00:00"}
{"id":"addr-1","caption":"Street 1","schema":"Address","properties":{"full":["Street 1"]}}
{"id":"NK-8","caption":"Fictive Trading","schema":"Company","properties":{"name":["Fictive Trading"]}}
`;

const samples: readonly [ListFormat, string][] = [
  ["ofac-xml", ofacXml],
  ["ofac-csv", ofacCsv],
  ["un-xml", unXml],
  ["eu-csv", euCsv("P;person")],
  ["eu-csv", euCsv("person;P")],
  ["eu-xml", euXml],
  ["uk-csv", ukCsv],
  ["opensanctions-csv", simpleCsv],
  ["opensanctions-ftm", ftm],
];

describe("readList", () => {
  it.each(samples)("reads a person of %s with what the list knows of it", (format, text) => {
    const [person, other, ...more] = readList(format, text).entries;

    expect(person).toMatchObject({ kind: "PERSON", countries: ["IR"] });
    expect(person?.names[0]?.text.toLowerCase()).toBe("zorvan keldran");
    expect(person?.documents).toContainEqual(expect.objectContaining({ number: "X123456" }));
    expect(person?.births.every(({ from, to }) => from <= "1961-03-05" && to >= "1961-03-05")).toBe(true);
    expect(person?.births).toHaveLength(1);
    expect(other?.kind).not.toBe("PERSON");
    expect(more).toEqual([]);
  });

  it.each(samples.filter(([format]) => format !== "opensanctions-csv"))("tells weak aliases of %s", (format, text) => {
    const [person] = readList(format, text).entries;

    expect(person?.names.filter(({ isWeak }) => isWeak).map(({ text: name }) => name.toLowerCase())).toEqual(["zed"]);
  });

  it.each<[ListFormat, string]>([
    ["ofac-xml", ofacXml.slice(0, -20)],
    ["ofac-xml", ofacXml.replace("<Record_Count>2<", "<Record_Count>3<")],
    ["ofac-csv", '101,"A, B"'],
    ["un-xml", unXml.slice(0, 700)],
    ["un-xml", "<html><body>Service unavailable</body></html>"],
    ["eu-csv", "a;b\n1;2\n"],
    ["eu-csv", `${euCsv("P;person")}20/11/2026;9;P\n`],
    ["uk-csv", ukCsv.replace("Report Date", "Report")],
    ["opensanctions-ftm", `${ftm}{"id":"NK-9"`],
  ])("refuses a damaged file of %s whole", (format, text) => {
    expect(() => readList(format, text)).toThrow();
  });
});
