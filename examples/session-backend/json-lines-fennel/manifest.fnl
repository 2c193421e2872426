{:name :json-lines
 :description "Keeps sessions in the project, in .fen-sessions, one JSON object a line"
 :capabilities [:fs]}
